export function countsOf(activities: readonly { readonly type: 'TASK' | 'HEADING' }[]) {
  const headings = activities.filter(({ type }) => type === 'HEADING').length
  return { headings, tasks: activities.length - headings }
}
