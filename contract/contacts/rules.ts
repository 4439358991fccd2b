/** Digits and the plus sign before them are all that is kept of a number (administration §5). */
export function phoneOf(written: string): string | null {
  const digits = written.replace(/\D/g, '')
  if (digits === '' || digits === '1') return null
  return /^\s*\+/.test(written) ? `+${digits}` : digits
}

export const contactsTooMany = (limit: number) => `This file exceeds the maximum size of ${limit} rows.`
