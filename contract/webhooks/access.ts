import { personWith } from '#contract/kit/access.ts'

/** Access to outbound webhooks: that of API keys, whose programs receive what happens, too. */
export const webhooksAccess = personWith('customer-api-admin')
