/** Texts of the organisation's list of duties. Those of other lists are taken where they say the same. */
export const dutyList = {
  title: 'Duties to Report',
  hours: 'Hours',
  filedTo: 'Filed to',
  hint: 'Hint',
  filter: 'Filter duties',
  empty: 'No duties.',
  create: 'Add duty',
  saved: 'The duty has been saved.',
  edit: 'Edit duty',
  removeTitle: 'Delete duty?',
  removeText: 'Clocks of %{name} that run in incidents go on.',
}
