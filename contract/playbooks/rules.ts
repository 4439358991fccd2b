import type { NewActivity } from '#contract/incidents/schema.ts'

import type { PlaybookTemplate } from './schema.ts'

/** What the form of an incident needs of a playbook. */
export type PlaybookForIncident = Pick<
  PlaybookTemplate,
  'id' | 'name' | 'description' | 'activities' | 'attachmentsFolderId'
>
type Task = Pick<
  NewActivity,
  'type' | 'title' | 'description' | 'priority' | 'idealTitleToExecute' | 'expectedTimeToComplete'
> & { readonly attachedFileIds?: string[] }

/**
 * The tasks that an incident begins with, in the playbook's order. Its headings order what is read in a playbook; an
 * incident has none. The files that tasks name become copies as the incident is made.
 */
export const tasksOf = ({ activities }: Pick<PlaybookForIncident, 'activities'>): Task[] =>
  activities
    .filter(({ type }) => type === 'TASK')
    .toSorted((a, b) => a.index - b.index)
    .map(
      ({ title, description, priority, idealTitleToExecute, expectedTimeToComplete, attachedFileIds }) => ({
        type: 'TASK',
        title,
        description,
        priority,
        idealTitleToExecute,
        expectedTimeToComplete,
        ...(attachedFileIds.length > 0 && { attachedFileIds }),
      }),
    )

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]!)
/** A playbook's brief as the rich text of an incident: one paragraph for each of its lines. */
export const briefOf = ({ description }: Pick<PlaybookForIncident, 'description'>): string =>
  description
    .split(/\r?\n/)
    .map((line) => `<p>${escaped(line.trimEnd())}</p>`)
    .join('')
