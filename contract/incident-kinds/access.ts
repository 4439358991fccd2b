import { has, personWith } from '#contract/kit/access.ts'

/** Access to the kinds and fields of incidents, apart from the schemas, which the menu does not load. */
export const incidentKindsAccess = {
  /** External people, who follow incidents too, are refused by the handlers. */
  read: has('incidents-read-only', 'incidents-full-access'),
  administer: personWith('user-admin'),
} as const
