import { serverNow } from '#providers/serverClock.ts'

/** Whether a playbook's review date has come: on the day in UTC, as the server reminds of it (decision 039). */
export const isReviewDue = ({ reviewDate }: { readonly reviewDate: string | null }): boolean =>
  reviewDate !== null && reviewDate <= new Date(serverNow()).toISOString().slice(0, 10)
