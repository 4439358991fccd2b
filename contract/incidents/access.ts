import { has } from '#contract/kit/access.ts'

/** Who may make the calls about incidents and exercises. It stands apart from their schemas, which the menu does not load. */
export const incidentsAccess = {
  read: has('incidents-read-only', 'incidents-full-access'),
  write: has('incidents-full-access'),
} as const
