import { inRow, isRoundedNumber, roundedPhone } from './csv.ts'
import { SHORT_TEXT_MAX, tooLong, withoutInvisible } from './text.ts'

interface ParseOptions {
  defaultCountry?: string | undefined
  /** False reads the text as a whole, instead of the first number in it. */
  extract?: boolean | undefined
}
/** The part of libphonenumber-js in use. It is injected, because the browser loads it only when it is needed. */
export interface PhoneLibrary {
  parsePhoneNumberFromString(
    text: string,
    options?: ParseOptions | string,
  ): { number: string; country?: string | undefined; isValid(): boolean } | undefined
  validatePhoneNumberLength(text: string, options?: ParseOptions | string): string | undefined
}

export interface PhoneReader {
  readonly library: PhoneLibrary
  /** Country of numbers without a dial code, as two letters; null where none is assumed. */
  readonly country: string | null
}

/** A number that can exist. */
export interface Phone {
  /** E.164: a plus sign and digits. */
  readonly number: string
  /** Digits dialled after the call is answered; null for none. */
  readonly extension: string | null
  /** Two letters; empty for a number without a country, such as +800. */
  readonly country: string
}

export type PhoneFault =
  | 'NO_DIAL_CODE'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'INVALID'
  | 'FAX'
  | 'WORDS'
  | 'ROUNDED'
  | 'CELL_ERROR'
  | 'CELL_TOO_LONG'
  | 'TOO_MANY'

/** A text that is no usable number. */
export interface PhoneProblem {
  readonly written: string
  readonly fault: PhoneFault
  /** The digits as written with their plus sign, without the extension; null for other texts. */
  readonly digits: string | null
  readonly extension: string | null
}
export interface PhoneReading {
  readonly phones: readonly Phone[]
  readonly problems: readonly PhoneProblem[]
}

const EXTENSION_MAX = 15
/** Numbers of one person. */
export const PHONES_MAX = 2
/** Texts in one cell that are read as numbers. */
const PARTS_MAX = 10

/** Words for no number, without punctuation. */
const NO_NUMBER = new Set(
  `na nan none null nil no nonumber nophone notavailable notapplicable tbd tba unknown undefined empty blank
  missing withheld private x xxx ka nv nb keine keiner keines keins keineangabe unbekannt nichtbekannt
  aucun aucune néant nc inconnu so ninguno ninguna sin sn notiene nessuno nd nenhum geen onbekend ingen
  inget brak yok нет 无 無 なし 없음`.split(/\s+/),
)
/** Errors that a spreadsheet shows in place of a value: a cell too narrow, #REF!, #N/A, #DIV/0!. */
const CELL_ERROR = /^#(?:#*|[\p{L}/]+0?[!?]?)$/u

const EXTENSION_WORD = [
  '(?:e?xt(?:n|ens(?:ion|ión|ão)?)?|x|×|#|~|dw|durchwahl|klappe|kl|nebenstelle|nst|app(?:arat)?|poste|p|anexo|ramal',
  'int(?:erno|ern)?|toestel|tst|lok(?:aal|al)?|anknytning|wew(?:n)?|linka|klapka|dahili|доб|вн|内線|分机|內線)',
].join('|')
/** `;` or a comma before an extension belongs to it. */
const BEFORE_EXTENSION = new RegExp(`[;,/]\\s?(?=${EXTENSION_WORD}[\\s.:=-]{0,5}\\d)`, 'giu')
const EXTENSION = new RegExp(`(?<![\\p{L}\\p{M}])${EXTENSION_WORD}[\\s.:=#-]{0,5}(\\d+)\\D*$`, 'iu')
/** Digits after a pause, as dialled by a phone: `,,55#`. */
const AFTER_PAUSE = /^(.*\d)\s*(?:,{2,}\s*|,)(\d{1,6})#?$/
const OR = /(?<=[\d)\]])\s+(?:or|oder|ou|und|and|et|y|o|e|of|en|och|og|eller|lub|i|veya|ve|или|и|或)\s+/giu
const SEPARATOR = /[;|]+/
/** Marks that stand within one number as well as between two, the ones that separate more first. */
const WEAK_SEPARATORS = [/[,&•]+|\s-\s/, /[/\\]+/]
/** Shortest number that stands beside another one across a weak separator: +49 30/901821 is one number. */
const WHOLE_DIGITS_MIN = 7
/** The trunk prefix that numbers drop behind a dial code, except in Italy. */
const TRUNK_PREFIX = /[([]\s*0\s*[)\]]/
const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz']
/** Numbers that are published as words: in North America, and free ones elsewhere. */
const WITH_LETTERS = /^\+1|^\+\d{1,3}(?:800|1800|1300)/

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/** The value of a decimal digit of any script, whose ten digits begin at a multiple of 16, or 6 behind it. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  const row = code - (code % 16)
  return String(/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6)
}

/** Plain characters: one kind of blank, dash and digit, neither invisible marks nor quotes around a formula. */
const normalised = (written: string): string =>
  withoutInvisible(written.replace(/[\r\n\v\f\u2028\u2029]+/g, ';').replace(/\t/g, ' '))
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^['"‘’“”`=]+/, '')

function isNoNumber(text: string): boolean {
  if (/\d/.test(text)) return /^\+?(?:\d{0,3}|0+)$/.test(text.replace(/[^\d+]/g, '')) && isBareCode(text)
  return NO_NUMBER.has(text.toLowerCase().replace(/[^\p{L}\p{M}]/gu, '')) || !/\p{L}/u.test(text)
}
/** True for a dial code alone, such as the +1 that a form begins with, and for zeros. */
const isBareCode = (text: string): boolean =>
  !/\p{L}/u.test(text) && (text.includes('+') || /^[01]?$|^0+$/.test(digitsIn(text)))

const optionsOf = ({ country }: PhoneReader): ParseOptions => ({
  extract: false,
  ...(country !== null && { defaultCountry: country }),
})
function parse(text: string, reader: PhoneReader): Omit<Phone, 'extension'> | null {
  const parsed = reader.library.parsePhoneNumberFromString(text, optionsOf(reader))
  return parsed?.isValid() ? { number: parsed.number, country: parsed.country ?? '' } : null
}

function parseInternational(digits: string, reader: PhoneReader): Omit<Phone, 'extension'> | null {
  // Mexico's mobile numbers had a 1 behind the dial code.
  return parse(digits, reader) ?? parse(digits.replace(/^\+521(?=\d{10}$)/, '+52'), reader)
}

/** Reads digits without a plus sign: as a national number, and with the plus sign in place of 00 or 011. */
function parseNational(digits: string, reader: PhoneReader): Omit<Phone, 'extension'> | null {
  if (reader.country !== null) {
    // In countries with numbers of any length 4915123456789 could be national, too.
    const withDialCode = digits.startsWith('0') ? null : parse(`+${digits}`, reader)
    const phone = withDialCode?.country === reader.country ? withDialCode : parse(digits, reader)
    if (phone) return phone
  }
  const international = internationalOf(digits)
  return international === undefined ? null : parseInternational(international, reader)
}
const internationalOf = (digits: string): string | undefined =>
  /^(?:00|011)/.test(digits) ? digits.replace(/^(?:00|011)/, '+') : undefined

/** A plus sign and digits, or digits alone. A plus sign before a zero means nothing. */
const dialString = (text: string): string =>
  `${/^\W*\+/.test(text) ? '+' : ''}${digitsIn(text)}`.replace(/^\+(?=0)/, '')

function numberOf(text: string, reader: PhoneReader): Omit<Phone, 'extension'> | null {
  for (const spelling of TRUNK_PREFIX.test(text) ? [text.replace(TRUNK_PREFIX, ' '), text] : [text]) {
    const digits = dialString(spelling)
    const phone = digits.startsWith('+') ? parseInternational(digits, reader) : parseNational(digits, reader)
    if (phone) return phone
  }
  return null
}

function keysOf(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    String(KEYS.findIndex((key) => key.includes(letter.toLowerCase())) + 2),
  )
}
/** A number whose last digits are written as letters: +1 800 FLOWERS. */
function numberInLetters(text: string, reader: PhoneReader) {
  if (!/[a-z]/i.test(text) || /[^\p{ASCII}]/u.test(text)) return null
  const phone = numberOf(keysOf(text), reader)
  return phone && WITH_LETTERS.test(phone.number) ? phone : null
}

function faultOf(text: string, reader: PhoneReader): PhoneFault {
  const digits = dialString(text)
  const attempt = digits.startsWith('+') || reader.country !== null ? digits : internationalOf(digits)
  if (attempt === undefined) return 'NO_DIAL_CODE'
  if (/\p{L}/u.test(text)) return 'WORDS'
  const length = reader.library.validatePhoneNumberLength(attempt, optionsOf(reader))
  return length === 'TOO_SHORT' || length === 'TOO_LONG' ? length : 'INVALID'
}

/** The number apart from its extension, in the ways in which it can be read. */
function spellings(text: string): { text: string; extension: string | null }[] {
  const found = EXTENSION.exec(text)
  const base = text.slice(0, found?.index)
  if (found?.[1] !== undefined && found[1].length <= EXTENSION_MAX && /\d/.test(base))
    return [{ text: base, extension: found[1] }]
  const [, before, after] = AFTER_PAUSE.exec(text) ?? []
  return [
    ...(before !== undefined && after !== undefined ? [{ text: before, extension: after }] : []),
    { text, extension: null },
  ]
}

/** Reads a text that holds one number at most; null for one that says that there is none. */
function readOne(part: string, reader: PhoneReader): Phone | PhoneProblem | null {
  const written = part.trim()
  // Labels before the number and remarks in brackets: "Mobile: +1 416 555 0101 (home)".
  const text = written
    .replace(/[([][^()[\]\d+]*[)\]]/g, ' ')
    .replace(/^[^\d+]*\p{L}/u, '')
    .replace(/^[^\d+([]+/, '')
    .replace(/0(?:xx|\*\*)(?=\d\d)/i, '')
  if (isNoNumber(/\d/.test(text) ? text : written)) return null
  const problem = { written, digits: null, extension: null }
  if (!/\d/.test(text)) return { ...problem, fault: 'WORDS' }
  if (/fax|факс/i.test(written)) return { ...problem, fault: 'FAX' }
  const options = spellings(text)
  for (const { text: body, extension } of options) {
    const withoutWords = body.slice(0, body.search(/\d\D*$/) + 1)
    const phone =
      (/\p{L}/u.test(withoutWords) ? null : numberOf(withoutWords, reader)) ?? numberInLetters(body, reader)
    if (phone) return { ...phone, extension }
  }
  const { text: body, extension } = options.at(-1)!
  const digits = /\p{L}/u.test(body) ? null : dialString(body)
  return { written, fault: faultOf(body, reader), digits, extension }
}

const isPhone = (read: Phone | PhoneProblem | null): read is Phone => read !== null && 'number' in read

/** Reads a part of a cell, where a slash or comma may separate two numbers or the groups of one. */
function readPart(
  part: string,
  reader: PhoneReader,
  [separator, ...others]: readonly RegExp[] = WEAK_SEPARATORS,
): (Phone | PhoneProblem | null)[] {
  if (separator === undefined) return [readOne(part, reader)]
  const pieces = part.split(separator).filter((piece) => /[\d\p{L}]/u.test(piece))
  if (pieces.length < 2 || pieces.length > PARTS_MAX) return readPart(part, reader, others)
  const each = pieces.flatMap((piece) => readPart(piece, reader, others))
  if (each.every(isPhone) && pieces.every((piece) => digitsIn(piece).length >= WHOLE_DIGITS_MIN)) return each
  const whole = readOne(part, reader)
  return isPhone(whole) || !each.some(isPhone) ? [whole] : each
}

/** Puts a separator between numbers wherever the second one is sure to begin. */
const separated = (text: string): string =>
  text
    .replace(BEFORE_EXTENSION, ' ')
    .replace(/;\s?(?=\d{1,5}#?$)/, ',')
    .replaceAll(':::', ';')
    .replace(OR, ';')
    // A label stands between two numbers: "+1 416 555 0109, M: +1 416 555 0110".
    .replace(/(\d)([^\d+]{0,40})(?=\+)/g, (_, digit: string, between: string) => {
      const end = between.search(/[,;/|][^,;/|]*$/) + 1
      return `${digit}${between.slice(0, end)};${between.slice(end)}`
    })
    .replace(/[/,]\s*(?=\(?00\d)/g, ';')

/**
 * Reads the telephone numbers in a cell as people write them, each once and at most two. A text that says that there
 * is none, such as "n/a" or a dial code alone, is no problem.
 */
export function readPhones(written: string, reader: PhoneReader): PhoneReading {
  const failed = (fault: PhoneFault): PhoneReading => ({
    phones: [],
    problems: [{ written: written.trim().slice(0, SHORT_TEXT_MAX), fault, digits: null, extension: null }],
  })
  if (written.length > SHORT_TEXT_MAX) return failed('CELL_TOO_LONG')
  const text = normalised(written)
  if (CELL_ERROR.test(text)) return failed('CELL_ERROR')
  if (isNoNumber(text)) return { phones: [], problems: [] }
  if (isRoundedNumber(text)) return failed('ROUNDED')
  const parts = separated(text).split(SEPARATOR)
  if (parts.length > PARTS_MAX) return failed('INVALID')
  const { phones, problems } = firstPhones(parts.flatMap((part) => readPart(part, reader)))
  const [problem, ...others] = problems
  // The only text of the cell is named with the marks that it was written with.
  if (problem && phones.length + others.length === 0)
    return { phones, problems: [{ ...problem, written: written.trim() }] }
  return { phones, problems }
}

/** The first two numbers, each once. Problems keep what was written, and further numbers are one. */
function firstPhones(read: readonly (Phone | PhoneProblem | null)[]): PhoneReading {
  const all = new Map(read.filter(isPhone).map((phone) => [phone.number, phone]))
  const phones = [...all.values()]
  return {
    phones: phones.slice(0, PHONES_MAX),
    problems: [
      ...read.filter((one): one is PhoneProblem => one !== null && !isPhone(one)),
      ...phones.slice(PHONES_MAX).map(({ number, extension }): PhoneProblem => ({
        written: number,
        fault: 'TOO_MANY',
        digits: null,
        extension,
      })),
    ],
  }
}

/** A number as sent or written in a cell, with its extension where that is sent apart. */
export interface WrittenPhone {
  readonly number: string | null | undefined
  readonly extension?: string | null | undefined
}
/**
 * Reads the numbers of one person. The second number takes the place of a first one that is none.
 * @param written the first and the second number; a cell may hold both
 */
export function readPersonPhones(
  written: readonly WrittenPhone[],
  reader: PhoneReader,
): { phones: readonly Phone[]; problems: readonly (PhoneProblem & { readonly at: number })[] } {
  const readings = written.map(({ number, extension }) => {
    const { phones, problems } = readPhones(number ?? '', reader)
    const [first, ...others] = phones
    return { problems, phones: first && extension ? [{ ...first, extension }, ...others] : phones }
  })
  const { phones, problems } = firstPhones(readings.flatMap((reading) => reading.phones))
  return {
    phones,
    problems: [
      ...readings.flatMap((reading, at) => reading.problems.map((problem) => ({ ...problem, at }))),
      ...problems.map((problem) => ({ ...problem, at: written.length - 1 })),
    ],
  }
}

const SENTENCES: { readonly [F in PhoneFault]: (written: string, row: number) => string } = {
  NO_DIAL_CODE: (written, row) =>
    `The phone number (${written}) in row ${row} must include a dial code, such as +1.`,
  TOO_SHORT: (written, row) =>
    `Invalid phone number (${written}) found in row ${row}: it has too few digits.`,
  TOO_LONG: (written, row) =>
    `Invalid phone number (${written}) found in row ${row}: it has too many digits.`,
  INVALID: (written, row) => `Invalid phone number (${written}) found in row ${row}.`,
  FAX: (written, row) => `The phone number (${written}) in row ${row} is the number of a fax.`,
  WORDS: (written, row) => `The phone number (${written}) in row ${row} is not a number.`,
  ROUNDED: roundedPhone,
  CELL_ERROR: (written, row) =>
    `A spreadsheet saved ${written} in place of the phone number in row ${row}. Widen its column or repair its formula, and save the file again.`,
  CELL_TOO_LONG: (_, row) => inRow(tooLong(SHORT_TEXT_MAX), row),
  TOO_MANY: (written, row) => `Row ${row} has more than two phone numbers. ${written} is left out.`,
}
/** Says why the number of a row cannot be used. */
export const phoneSentence = ({ written, fault }: PhoneProblem, row: number): string =>
  SENTENCES[fault](written, row)
