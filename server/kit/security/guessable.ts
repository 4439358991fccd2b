import { splitEnds } from '#contract/kit/cut.ts'

/**
 * Detects easily guessed passwords beyond a list of common ones: with added digits and signs, letters replaced by
 * similar signs, rows of keys, dates, or facts about the person.
 */

const reversed = (text: string): string => text.split('').toReversed().join('')

/** Common words of workplace passwords, alone or combined. */
const HABITUAL =
  'password passwort passwd pass pwd welcome willkommen bienvenue bienvenido hello hallo hola admin administrator root user guest test testing temp temporary login signin logon secret geheim changeme change letmein access default company organization organisation business office muster spring summer autumn fall winter fruhling fruehling sommer herbst printemps ete automne hiver primavera verano otono invierno'
const LOCALES = ['en', 'de', 'fr', 'es']
/** Adjacent keys, on keyboards of several languages. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '01234567890',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
].flatMap((row) => [row, reversed(row)])
const RUN_MIN = 3
/** Least characters beside rows, repetitions and years. */
const REST_MIN = 4
/** Signs around a word that are tried as part of it. */
const AROUND_MAX = 10
/** Longer passwords are not split into words. */
const WORDS_MAX = 64
const WORD_MIN = 3

const LETTER_LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  ['@a', '4a', '8b', '3e', '6g', '9g', '1i', '!i', '0o', '5s', '$s', '7t', '+t', '2z'].map(
    ([sign = '', letter = '']) => [sign, letter],
  ),
)
const LETTER_LIKE_L = { ...LETTER_LIKE, '1': 'l', '!': 'l', '7': 'l' }
const SHIFTED: Readonly<Record<string, string>> = Object.fromEntries(
  '!@#$%^&*()'.split('').map((sign, index) => [sign, String((index + 1) % 10)]),
)

const replaced = (text: string, by: Readonly<Record<string, string>>) =>
  text.replace(/[^a-z]/g, (sign) => by[sign] ?? sign)
const folded = (text: string): string =>
  text.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '')
const lettersOf = (text: string): string => text.replace(/[^a-z]/g, '')
const isRun = (text: string): boolean =>
  text.length >= RUN_MIN && (ROWS.some((row) => row.includes(text)) || /^(.)\1*$/.test(text))

interface Words {
  readonly common: ReadonlySet<string>
  readonly habitual: ReadonlySet<string>
}
let known: Promise<Words> | undefined
async function loadWords(): Promise<Words> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const calendar = LOCALES.flatMap((locale) =>
    (['long', 'short'] as const).flatMap((length) => [
      ...Array.from({ length: 12 }, (_, month) =>
        new Date(Date.UTC(2026, month, 1)).toLocaleString(locale, { month: length, timeZone: 'UTC' }),
      ),
      ...Array.from({ length: 7 }, (_, day) =>
        new Date(Date.UTC(2026, 0, 1 + day)).toLocaleString(locale, { weekday: length, timeZone: 'UTC' }),
      ),
    ]),
  )
  return {
    common: new Set(dictionary['passwords-common'].map(folded)),
    habitual: new Set([...HABITUAL.split(' '), ...calendar.map((word) => lettersOf(folded(word)))]),
  }
}

const topLevelDomainAt = (text: string): number => {
  const dot = text.lastIndexOf('.')
  return text.indexOf('@') < dot && text.includes('@') ? dot : text.length
}
/** Words of names and addresses: `ana.berg@acme.example` gives ana, berg, acme. Omits the top-level domain. */
export const wordsOf = (texts: readonly string[]): Set<string> =>
  new Set(
    texts
      .flatMap((text) => folded(text.slice(0, topLevelDomainAt(text))).split(/[^a-z]+/))
      .filter((word) => word.length >= WORD_MIN),
  )

/** The password without some or all of the signs around it. */
function coresOf(text: string): string[] {
  const [before, inner, after] = splitEnds(text, (character) => /[^a-z]/.test(character))
  const cores = new Set([inner])
  for (let from = 0; from <= Math.min(before.length, AROUND_MAX); from += 1)
    for (let cut = 0; cut <= Math.min(after.length, AROUND_MAX); cut += 1)
      cores.add(text.slice(from, text.length - cut))
  return [...cores]
}

/**
 * True when letters consist of known words only: personal and habitual ones, and one common word beside a personal one.
 */
function isMadeOf(letters: string, personal: ReadonlySet<string>, { common, habitual }: Words): boolean {
  if (letters.length < WORD_MIN || letters.length > WORDS_MAX) return false
  /** Kinds of words that each prefix can be made of: `p` with a personal one, `c` with a common one. */
  const ways: Set<string>[] = Array.from({ length: letters.length + 1 }, () => new Set())
  ways[0]!.add('')
  for (let from = 0; from < letters.length; from += 1) {
    for (let to = from + WORD_MIN; to <= letters.length; to += 1) {
      const word = letters.slice(from, to)
      for (const way of ways[from]!) {
        if (personal.has(word)) ways[to]!.add(way.includes('p') ? way : `p${way}`)
        else if (habitual.has(word) || isRun(word)) ways[to]!.add(way)
        else if (common.has(word) && !way.includes('c')) ways[to]!.add(`${way}c`)
      }
    }
  }
  const whole = ways[letters.length]!
  return ['', 'p', 'pc'].some((way) => whole.has(way))
}

/** The remainder without rows of keys, repeated characters and years. */
function restOf(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length;) {
    let end = at + 1
    while (end < text.length && isRun(text.slice(at, Math.max(end + 1, at + RUN_MIN))))
      end = Math.max(end + 1, at + RUN_MIN)
    if (end - at < RUN_MIN) {
      const year = /^(?:19|20)\d\d/.test(text.slice(at, at + 4))
      if (!year) rest += text[at]
      end = year ? at + 4 : at + 1
    }
    at = end
  }
  return rest
}

/** True when a password is among the first guesses. `personal` are words that others know of the person. */
export async function isGuessable(password: string, personal: ReadonlySet<string>): Promise<boolean> {
  known ??= loadWords()
  const words = await known
  const text = folded(password)
  if (restOf(replaced(text, SHIFTED)).length < REST_MIN) return true
  for (const core of coresOf(text)) {
    const readings = [
      core,
      replaced(core, SHIFTED),
      replaced(core, LETTER_LIKE),
      replaced(core, LETTER_LIKE_L),
    ]
    for (const reading of readings) {
      const letters = lettersOf(reading)
      // Three letters count as a word only without replaced signs.
      if (letters !== core && letters.length <= WORD_MIN) continue
      const repeated = /^(.{3,}?)\1+$/.exec(letters)?.[1] ?? letters
      const candidates = [reading, letters, repeated, reversed(letters)]
      if (candidates.some((candidate) => words.common.has(candidate))) return true
      if (isMadeOf(letters, personal, words)) return true
    }
  }
  return false
}
