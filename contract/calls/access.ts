import { personWith } from '#contract/kit/access.ts'

/** Access to the endpoints of calls. Joining a call also requires membership of its room. */
export const callsAccess = personWith('chats')
