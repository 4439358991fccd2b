import { serverNow } from '#providers/serverClock.ts'

const twoDigits = (value: number) => String(value).padStart(2, '0')
/** A day of the calendar in this browser's zone, as review dates are written. */
const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`

/** Whether a playbook's review date has come. */
export const isReviewDue = ({ reviewDate }: { readonly reviewDate: string | null }): boolean =>
  reviewDate !== null && reviewDate <= dayOf(new Date(serverNow()))
