import { personWith } from '#contract/kit/access.ts'

/** Who may make the calls of calls. Which call somebody may join follows from being a member of its room. */
export const callsAccess = personWith('chats')
