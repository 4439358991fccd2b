import { type Access, personWith } from '#contract/kit/access.ts'

/** Who may make the calls of calls. Which call somebody may join follows from being a member of its room. */
export const callsAccess = personWith('chats')
/** Calls of an incident: for people who follow it, too. */
export const incidentCallsAccess = {
  ...personWith('incidents-read-only', 'incidents-full-access'),
  allOf: ['chats'],
} as const satisfies Access
