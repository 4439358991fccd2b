import { splitEnds } from '#contract/kit/cut.ts'

import type { Enterprise } from './schema.ts'

const WEEK = 7 * 24 * 60 * 60 * 1_000

/** Days in which a deleted organisation can be restored. */
export const GRACE_DAYS = 7

/** True for organisations whose content may be deleted (administration §5): trials, and those less than 7 days old. */
export const canClear = (
  { displayName, createTimestamp }: Pick<Enterprise, 'displayName' | 'createTimestamp'>,
  now: number,
): boolean => /shqtrial/i.test(displayName) || now - Date.parse(createTimestamp) < WEEK

const CODE_MAX = 40
const slug = (text: string): string => {
  const latin = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const hyphened = latin.replace(/[^a-z0-9]+/g, '-').slice(0, CODE_MAX)
  return splitEnds(hyphened, (character) => character === '-')[1]
}

/**
 * The sign-in code of an organisation: its name in Latin letters, digits and hyphens, otherwise the domain's
 * first label. The server adds a number to a code in use.
 */
export const codeOf = (name: string, domain: string): string =>
  slug(name) || slug(domain.split('.')[0] ?? '') || 'organization'
