import { personWith } from '#contract/kit/access.ts'

/** Who administers the channels of the organisation. It stands apart from the schemas, which the menu does not load. */
export const channelsAccess = personWith('chat-admin')
