import { has } from '#contract/kit/access.ts'

/** Access to follow-ups, apart from the schemas, which the menu does not load. */
export const followUpsAccess = {
  /** External people, who follow incidents too, are refused by the handlers. */
  read: has('incidents-read-only', 'incidents-full-access'),
  write: has('incidents-full-access'),
} as const
