import { has, personWith } from '#contract/kit/access.ts'

/** Access to duty clocks, apart from the schemas, which the menu does not load. */
export const dutiesAccess = {
  /** External people, who follow incidents too, are refused by the handlers. */
  read: has('incidents-read-only', 'incidents-full-access'),
  write: has('incidents-full-access'),
  /** The organisation's list of duties. */
  administer: personWith('user-admin'),
} as const
