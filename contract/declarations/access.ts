import { personWith } from '#contract/kit/access.ts'

/** Access to the sources that declare incidents: that of API keys, which are secrets of programs, too. */
export const declarationsAccess = personWith('customer-api-admin')
