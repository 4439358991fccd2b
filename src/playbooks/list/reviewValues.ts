import { serverNow } from '#providers/serverClock.ts'

/** True from the playbook's review date on, in UTC like the server's reminder (decision 039). */
export const isReviewDue = ({ reviewDate }: { readonly reviewDate: string | null }): boolean =>
  reviewDate !== null && reviewDate <= new Date(serverNow()).toISOString().slice(0, 10)
