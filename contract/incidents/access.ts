import { has, personWith } from '#contract/kit/access.ts'

/** Access to incidents and exercises, apart from the schemas, which the menu does not load. */
export const incidentsAccess = {
  read: has('incidents-read-only', 'incidents-full-access'),
  write: has('incidents-full-access'),
  /** The tasks of a person. */
  tasks: personWith('incidents-read-only', 'incidents-full-access'),
} as const
