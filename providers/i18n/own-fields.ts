/** Words of kinds and fields in the form, the page and the list of incidents. They load with those parts. */
export const ownFields = {
  kind: 'Kind',
  noKind: 'None',
  details: 'Details',
  roles: 'Roles wanted',
  noChoice: 'None',
  person: 'Nobody chosen',
  playbookGone: (name: string) =>
    `The playbook of this kind, ${name}, was archived or deleted. Choose another one if you need one.`,
  filters: 'Kind and details',
  any: (label: string) => `${label}: any`,
  anyKind: 'Any kind',
  failed: 'The kinds and fields of your organization could not be loaded.',
}
