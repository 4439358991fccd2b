import * as z from 'zod/mini'

/** Shared text lengths (foundation §5, decisions §3). */
export const SHORT_TEXT_MAX = 255
export const MEDIUM_TEXT_MAX = 1_000
export const LONG_TEXT_MAX = 24_000

export const tooLong = (max: number) => `Maximum length of ${max} characters exceeded.`
export const INVALID_EMAIL = 'Please enter a valid email address.'
export const INVALID_NAME = 'Only alphabetical characters and spaces are allowed.'
export const INVALID_PHONE = 'Only valid phone numbers are allowed.'
export const SOMETHING_WENT_WRONG = 'Something went wrong.'

// The database cannot store NUL as text, and lone surrogates are not valid text.
const NOT_TEXT = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/
const plain = z.refine<string>(
  (value) => !NOT_TEXT.test(value),
  'This text contains characters that cannot be stored.',
)

/** Aborts the checks of a text that is too long, so that no later check reads a megabyte. */
const limit = (max: number, message = tooLong(max)) => z.maxLength(max, { error: message, abort: true })

// Invisible characters: format and control characters, fillers, variation selectors, a blank Braille cell.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu
export const withoutInvisible = (value: string): string => value.replace(INVISIBLE, '')
/** True for a text without visible characters. */
export const isBlank = (value: string): boolean => withoutInvisible(value).trim() === ''
/** Refuses a text without visible characters like a missing one. */
export const visible = (message: string) =>
  z.refine<string>((value) => value === '' || !isBlank(value), { error: message, abort: true })

/** Text of at most `max` characters, kept as typed; `excess` is the message for a longer one. */
export const text = (max: number = SHORT_TEXT_MAX, excess?: string) =>
  z.string().check(limit(max, excess), plain)

export const trimmedText = (max: number = SHORT_TEXT_MAX, excess?: string) =>
  z.string().check(z.trim(), limit(max, excess), plain)

/** Trimmed text with visible characters: a name or a title (decision 062). */
export const requiredText = (message: string, max: number = SHORT_TEXT_MAX, excess?: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), visible(message), limit(max, excess), plain)

/** Optional trimmed text. One without visible characters becomes null. */
export const optionalText = (max: number = SHORT_TEXT_MAX, excess?: string) =>
  z._default(
    z
      .nullable(trimmedText(max, excess))
      .check(z.overwrite((value) => (value === null || isBlank(value) ? null : value))),
    null,
  )

/** Rich text without its code, in linear time. Code that has no end is text. */
export function withoutCode(html: string): string {
  const code = /<(code|pre)\b[^<>]*>/g
  let rest = ''
  let from = 0
  for (let start = code.exec(html); start; start = code.exec(html)) {
    const closing = `</${start[1]}>`
    const end = html.indexOf(closing, code.lastIndex)
    if (end < 0) break
    rest += html.slice(from, start.index)
    from = end + closing.length
    code.lastIndex = from
  }
  return rest + html.slice(from)
}

/** Removes invisible characters and surrounding space from a pasted address. */
export const cleanEmail = (pasted: string): string => withoutInvisible(pasted).trim()

/** Lengths of the parts of an address (RFC 5321 §4.5.3.1, RFC 1035 §2.3.4). */
const LOCAL_PART_MAX = 64
const DOMAIN_MAX = 253
const DOMAIN_LABEL_MAX = 63
// Neither quoting nor domain literals: real addresses, not all that the RFC allows.
const LOCAL_ATOM = /^[^\s@"(),:;<>[\]\\.]+$/
const DOMAIN_LABEL = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u

/** Combining marks that remain after NFC and make a letter look like another one. */
const LOOSE_MARK = /\p{Script=Inherited}/u
/** Dotless i and dotted I, whose lower case is an i with a combining mark. */
const OTHER_I = /[\u0130\u0131]/

/** The stored and compared form of an address: trimmed, NFC, lower case independent of language (decision 061). */
export const normalisedEmail = (written: string): string => written.trim().normalize('NFC').toLowerCase()

/**
 * True for one email address with a dot in its domain. Refuses look-alikes: full width and other compatible
 * forms, combining marks, and the i of other alphabets before the at sign. Linear in its length.
 */
export function isEmailAddress(value: string): boolean {
  const [local = '', domain = '', ...more] = value.split('@')
  if (more.length > 0 || local.length > LOCAL_PART_MAX || domain.length > DOMAIN_MAX) return false
  const composed = value.normalize('NFC')
  if (withoutInvisible(value) !== value || composed.normalize('NFKC') !== composed) return false
  if (LOOSE_MARK.test(composed) || OTHER_I.test(local)) return false
  const labels = domain.split('.')
  return (
    local.split('.').every((atom) => LOCAL_ATOM.test(atom)) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= DOMAIN_LABEL_MAX && DOMAIN_LABEL.test(label))
  )
}

/** An email address in its stored form, because addresses identify people here (foundation §5). */
export const email = z
  .string(INVALID_EMAIL)
  .check(
    z.overwrite(normalisedEmail),
    limit(SHORT_TEXT_MAX),
    z.refine(isEmailAddress, { error: INVALID_EMAIL, abort: true }),
    plain,
  )

/** Names as people have them: letters of any script with joiners, digits, apostrophes, hyphens, commas, brackets. */
const NAME = /^[\p{L}\p{M}\p{Nd}'’‘ʼʻʹ`´(][\p{L}\p{M}\p{Nd}\p{Join_Control} .,·()[\]'’‘ʼʻʹ`´\p{Pd}]*$/u
/** Other blanks become spaces; marks without a width, which are copied with a name, are removed. */
export const cleanName = (name: string): string =>
  name
    .replace(/[\u00a0\u2007\u202f\u3000]/g, ' ')
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .trim()
const named = [
  limit(SHORT_TEXT_MAX),
  z.refine<string>((name) => name === '' || (NAME.test(name) && /\p{L}/u.test(name)), {
    error: INVALID_NAME,
    abort: true,
  }),
] as const
/**
 * A person's name (foundation §5, decisions §5). `nameProblem` refuses other characters than letters, spaces and periods
 * for organisations that do not allow them.
 */
export const personName = (required: string) =>
  z.string(required).check(z.overwrite(cleanName), z.minLength(1, required), visible(required), ...named)
/** A last name, which `nameProblem` lets people with one name leave empty. */
export const lastName = (required: string) =>
  z.string(required).check(z.overwrite(cleanName), visible(required), ...named)

/** An organisation code: trimmed and lower-cased (foundation §5, decisions §3). */
export const organisationCode = z
  .string('Please enter an organization code.')
  .check(z.trim(), z.toLowerCase(), z.minLength(1, 'Please enter an organization code.'), limit(50), plain)

const NO_NUMBER: ReadonlySet<string> = new Set(['', '+', '+1'])
/**
 * A phone number as people write it, which may hold its extension and a second number. Only the server knows
 * if the number can exist (`readPhones`). Null for none, and for a bare +1 (foundation §5).
 */
export const phoneNumberOr = (message: string) =>
  z.nullable(
    z.pipe(
      z.string(message).check(limit(SHORT_TEXT_MAX, message), plain),
      z.transform((value: string) => (NO_NUMBER.has(value.trim()) ? null : value.trim())),
    ),
  )
/** An optional phone number of a record; null when absent. */
export const phoneNumber = z._default(phoneNumberOr(INVALID_PHONE), null)

const EXTENSION_DIGITS_MAX = 15
export const INVALID_EXTENSION = 'Only digits are allowed.'
/** Digits of an extension, for a number that is sent without; null for none. */
export const extensionDigits = z.nullable(
  z.pipe(
    z
      .string(INVALID_EXTENSION)
      .check(
        z.trim(),
        limit(EXTENSION_DIGITS_MAX, tooLong(EXTENSION_DIGITS_MAX)),
        z.regex(/^\d*$/, INVALID_EXTENSION),
      ),
    z.transform((value: string) => value || null),
  ),
)
/** An optional extension of a record; null when absent. */
export const phoneExtension = z._default(extensionDigits, null)

/**
 * A list of at most `max` items. Checks its length before any item, so that a list of a million costs nothing.
 * @param required message for an absent or empty list; without it a list may be empty
 * @param tooMany message for a longer list
 */
export const listOf = <Item extends z.ZodMiniType>(
  item: Item,
  max: number,
  { required, tooMany = `A list holds at most ${max} items.` }: { required?: string; tooMany?: string } = {},
) =>
  z.pipe(
    z.transform((value: z.input<Item>[], context) => {
      if (!Array.isArray(value) || value.length <= max) return value
      context.issues.push({ code: 'custom', message: tooMany, input: value })
      return z.NEVER
    }),
    z.array(item, required).check(z.minLength(required ? 1 : 0, required), z.maxLength(max, tooMany)),
  )

export const timestamp = z.iso.datetime()
export const id = z.uuid()
export const ById = z.object({ id })
/** A reply without a body. */
export const nothing = z.undefined()
