/** Words of the dialogs that correct an incident. They load with the dialogs. */
export const corrections = {
  reason: 'Reason',
  reasonOptional: 'Reason (optional)',
  reasonHelp: 'It stands in the report.',
  severityTitle: 'Change severity',
  severityText: (title: string) => `“${title}” shows the new severity to everybody at once.`,
  severitySubmit: 'Change severity',
  severityChanged: 'The severity was changed.',
  reopenTitle: { incident: 'Reopen incident?', exercise: 'Reopen exercise?' },
  reopenText: (title: string) =>
    `“${title}” is in progress again for everybody: tasks that were left open, updates and its room. The analysis is kept.`,
  reopenSubmit: 'Reopen',
  mergeTitle: { incident: 'Merge this incident?', exercise: 'Merge this exercise?' },
  mergeText: (title: string) =>
    `“${title}” ends as a duplicate. The other one asks its people, too, and each page links to the other.`,
  mergeInto: 'Merge into',
  mergeNone: 'There is no other one in progress that this one could be merged into.',
  mergeTasks: (count: number) => (count === 1 ? 'Copy the open task' : `Copy the ${count} open tasks`),
  mergeTasksHelp: 'Otherwise they stay here, and nobody can complete them.',
  mergeSubmit: 'Merge',
  merged: 'It was merged. This is the one that goes on.',
  mergedInto: 'Merged into',
  duplicates: 'Also reported as',
}
