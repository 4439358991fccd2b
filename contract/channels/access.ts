import { personWith } from '#contract/kit/access.ts'

/** Access to the administration of channels, apart from the schemas, which the menu does not load. */
export const channelsAccess = personWith('chat-admin')
