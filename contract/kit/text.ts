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

// NUL cannot be stored as text by the database, and lone surrogates are not text.
const NOT_TEXT = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/
const plain = z.refine<string>(
  (value) => !NOT_TEXT.test(value),
  'This text contains characters that cannot be stored.',
)

/** Ends the checks of a text that is too long, so that no later check reads a megabyte. */
const limit = (max: number, message = tooLong(max)) => z.maxLength(max, { error: message, abort: true })

// Characters that nobody sees: format and control characters, fillers, variation selectors, a blank Braille cell.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu
const withoutInvisible = (value: string): string => value.replace(INVISIBLE, '')
/** Whether nothing of a text can be seen. */
export const isBlank = (value: string): boolean => withoutInvisible(value).trim() === ''
/** Refuses a text of which nothing can be seen as one that is missing. */
export const visible = (message: string) =>
  z.refine<string>((value) => value === '' || !isBlank(value), { error: message, abort: true })

/** Text of at most `max` characters, kept as typed; `excess` is what a longer one is refused with. */
export const text = (max: number = SHORT_TEXT_MAX, excess?: string) =>
  z.string().check(limit(max, excess), plain)

/** Plain text, trimmed. */
export const trimmedText = (max: number = SHORT_TEXT_MAX, excess?: string) =>
  z.string().check(z.trim(), limit(max, excess), plain)

/** Trimmed text of which something can be seen: a name or a title (decision 062). */
export const requiredText = (message: string, max: number = SHORT_TEXT_MAX, excess?: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), visible(message), limit(max, excess), plain)

/** Trimmed text that may be left out. One of which nothing can be seen becomes null. */
export const optionalText = (max: number = SHORT_TEXT_MAX, excess?: string) =>
  z._default(
    z
      .nullable(trimmedText(max, excess))
      .check(z.overwrite((value) => (value === null || isBlank(value) ? null : value))),
    null,
  )

/** Removes invisible characters and surrounding space from a pasted address. */
export const cleanEmail = (pasted: string): string => withoutInvisible(pasted).trim()

/** Lengths of the parts of an address (RFC 5321 §4.5.3.1, RFC 1035 §2.3.4). */
const LOCAL_PART_MAX = 64
const DOMAIN_MAX = 253
const DOMAIN_LABEL_MAX = 63
// No quoting and no domain literals: what people have, not all that the RFC allows.
const LOCAL_ATOM = /^[^\s@"(),:;<>[\]\\.]+$/
const DOMAIN_LABEL = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u

/** Marks that no letter has of its own: after NFC they make a letter look like another one. */
const LOOSE_MARK = /\p{Script=Inherited}/u
/** The dotless i, and the dotted one, whose lower case is an i below a loose mark. */
const OTHER_I = /[\u0130\u0131]/

/** An address as it is stored and compared: trimmed, in NFC, in the lower case of no language (decision 061). */
export const normalisedEmail = (written: string): string => written.trim().normalize('NFC').toLowerCase()

/**
 * Whether a text is one email address with a dot in its domain. Refuses what looks like an address that it is not: full width
 * and other compatible forms, loose marks, and in the part before the at sign the i of other alphabets. Linear in its length.
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

/** An email address as it is stored, because addresses name people here (foundation §5). */
export const email = z
  .string(INVALID_EMAIL)
  .check(
    z.overwrite(normalisedEmail),
    limit(SHORT_TEXT_MAX),
    z.refine(isEmailAddress, { error: INVALID_EMAIL, abort: true }),
    plain,
  )

// Hyphens and apostrophes pass here; `nameProblem` refuses them where the organisation does not take them.
const NAME = /^[\p{L}\p{M}][\p{L}\p{M} .'’-]*$/u
/** A person's name: letters of any script with their marks, spaces and periods (foundation §5, decisions §5). */
export const personName = (required: string) =>
  z
    .string(required)
    .check(
      z.trim(),
      z.minLength(1, required),
      visible(required),
      limit(SHORT_TEXT_MAX),
      z.regex(NAME, { error: INVALID_NAME, abort: true }),
    )

/** An organisation code: trimmed and lower-cased (foundation §5, decisions §3). */
export const organisationCode = z
  .string('Please enter an organization code.')
  .check(z.trim(), z.toLowerCase(), z.minLength(1, 'Please enter an organization code.'), limit(50), plain)

/** Characters of a number as it is typed, with its spaces and brackets. */
const PHONE_TEXT_MAX = 50
/**
 * A phone number as it is stored: a plus sign and digits. A bare country code of North America counts as empty. Whether
 * anybody can have the number, only the server knows.
 */
export const phoneNumberOr = (message: string) =>
  z.nullable(
    z.pipe(
      z.pipe(
        z.string(message).check(limit(PHONE_TEXT_MAX, message)),
        z.transform((value: string) => {
          const digits = value.trim().replace(/[\s().-]/g, '')
          return digits === '' || digits === '+1' || digits === '+' ? null : digits
        }),
      ),
      z.nullable(z.string().check(z.regex(/^\+[1-9]\d{6,14}$/, message))),
    ),
  )
/** An optional phone number of a record: null when it is missing. */
export const phoneNumber = z._default(phoneNumberOr(INVALID_PHONE), null)

/**
 * A list of at most `max` items. Its length is judged before any item, so that a list of a million costs nothing.
 * @param required what is said where there is no list or an empty one; without it a list may be empty
 * @param tooMany what is said of a longer one
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
