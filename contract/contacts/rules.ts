import { email as Email, INVALID_EMAIL } from '#contract/kit/text.ts'

import type { ContactRow } from './schema.ts'

/** Somebody that an import names, in every list that its rows name. */
export interface GivenContact {
  readonly name: string
  readonly email: string
  /** A plus sign and digits, or digits alone where no dial code was given; null for none. */
  readonly phone: string | null
  readonly lists: readonly string[]
}
export interface ContactProblem {
  /** Of the row among those that were given. */
  readonly index: number
  readonly field: keyof ContactRow
  readonly message: string
}

/** Digits and the plus sign before them are all that is kept of a number (administration §5). */
export function phoneOf(written: string): string | null {
  const digits = written.replace(/\D/g, '')
  if (digits === '' || digits === '1') return null
  return /^\s*\+/.test(written) ? `+${digits}` : digits
}

export const contactsTooMany = (limit: number) => `This file exceeds the maximum size of ${limit} rows.`

/**
 * Reads the rows of an import: the contacts that they name, each once with all its lists, or what is wrong with each row
 * (administration §5). Rows count from 2, below the headings. Of two rows for one address the later one names the person.
 */
export function readContacts(rows: readonly ContactRow[]): {
  contacts: GivenContact[]
  problems: ContactProblem[]
} {
  const problems: ContactProblem[] = []
  const byEmail = new Map<string, GivenContact>()
  for (const [index, row] of rows.entries()) {
    const n = index + 2
    const [name, written, phone, list] = [row.name, row.email, row.phone, row.list].map((cell) =>
      (cell ?? '').trim(),
    ) as [string, string, string, string]
    const { data: email, error } = Email.safeParse(written)
    const issue = error?.issues[0]?.message
    if (written === '')
      problems.push({
        index,
        field: 'email',
        message: `A contact is missing an email address from row ${n}.`,
      })
    else if (issue === INVALID_EMAIL)
      problems.push({ index, field: 'email', message: `Invalid email address ${written} found in row ${n}.` })
    else if (issue !== undefined)
      problems.push({ index, field: 'email', message: `${issue.replace(/\.$/, '')} (in row ${n}).` })
    if (list === '')
      problems.push({
        index,
        field: 'list',
        message: `A contact (${written}) was not assigned a contact list (in row ${n}).`,
      })
    if (email === undefined || list === '') continue
    const before = byEmail.get(email)
    byEmail.set(email, {
      name: name || before?.name || '',
      email,
      phone: phoneOf(phone) ?? before?.phone ?? null,
      lists: [...new Set([...(before?.lists ?? []), list])],
    })
  }
  return { contacts: [...byEmail.values()], problems }
}
