/** Digits and the plus sign before them are all that is kept of a number (administration §5). */
export function phoneOf(written: string): string | null {
  const digits = written.replace(/\D/g, '')
  if (digits === '' || digits === '1') return null
  return /^\s*\+/.test(written) ? `+${digits}` : digits
}

/** Why a phone number cannot be reached. */
export const PHONE_PROBLEMS = ['NO_PHONE', 'NO_DIAL_CODE', 'INVALID', 'COUNTRY'] as const
export type PhoneProblem = (typeof PHONE_PROBLEMS)[number]

/**
 * Why nobody can be reached at a number that is not valid.
 * @param country where the number is at home; empty for one that nobody can have
 */
export function phoneProblem(phone: string | null, country: string | null): PhoneProblem {
  if (phone === null) return 'NO_PHONE'
  if (country) return 'COUNTRY'
  return phone.startsWith('+') ? 'INVALID' : 'NO_DIAL_CODE'
}

export const contactsTooMany = (limit: number) => `This file exceeds the maximum size of ${limit} rows.`
