import { FIELD_TEXT_MAX, type FieldValue } from '#contract/incidents/schema.ts'
import { isBlank, isEmailAddress, normalisedEmail, tooLong } from '#contract/kit/text.ts'

import type { FieldDefinition, FieldType } from './schema.ts'

/** Largest number of a field, so that it is the same number in every program. */
export const FIELD_NUMBER_MAX = 1_000_000_000_000_000
export const VALUE_REQUIRED = 'Please fill in this field.'
export const NOT_TEXT = 'Please enter a text.'
export const NOT_NUMBER = `Please enter a number up to ${FIELD_NUMBER_MAX}.`
export const NOT_DATE = 'Please enter a date such as 2026-03-31.'
export const NOT_CHOICE = 'Please choose one of the choices.'
export const NOT_PERSON = 'This is not an active colleague. Please choose somebody else.'
export const NOT_LINK = 'Please enter an address that begins with https:// or http://.'

type Asked = Pick<FieldDefinition, 'kindIds' | 'isRetired'>
/** True where an incident of the kind is asked for the field. */
export const isAsked = ({ kindIds, isRetired }: Asked, kindId: string | null): boolean =>
  !isRetired && (kindIds.length === 0 || (kindId !== null && kindIds.includes(kindId)))

/** True for a missing value. */
export const isMissing = (value: FieldValue | null | undefined): boolean =>
  value === null || value === undefined || (typeof value === 'string' && isBlank(value))

const DAY = /^\d{4}-\d\d-\d\d$/
const FIRST_YEAR = '1000'
function isDate(value: string): boolean {
  if (!DAY.test(value) || value < FIRST_YEAR) return false
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}

/** True for an address of the web, without a user name that hides where it leads. */
function isLink(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hostname } = new URL(value)
  return (
    (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hostname !== ''
  )
}

type Checked = (written: string, choices: readonly string[]) => string | null
const TEXT_PROBLEMS: { readonly [T in Exclude<FieldType, 'NUMBER'>]: Checked } = {
  TEXT: () => null,
  DATE: (written) => (isDate(written) ? null : NOT_DATE),
  CHOICE: (written, choices) => (choices.includes(written) ? null : NOT_CHOICE),
  PERSON: (written) => (isEmailAddress(normalisedEmail(written)) ? null : NOT_PERSON),
  LINK: (written) => (isLink(written) ? null : NOT_LINK),
}

type Typed = Pick<FieldDefinition, 'type' | 'choices'>
/** The sentence about a value of the wrong type; null for a right one. Only the server knows people. */
export function valueProblem({ type, choices }: Typed, value: FieldValue): string | null {
  if (type === 'NUMBER')
    return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= FIELD_NUMBER_MAX
      ? null
      : NOT_NUMBER
  if (typeof value !== 'string') return NOT_TEXT
  const written = value.trim()
  if (written.length > FIELD_TEXT_MAX) return tooLong(FIELD_TEXT_MAX)
  return TEXT_PROBLEMS[type](written, choices)
}

/** A right value as it is stored and compared. */
export const storedValue = ({ type }: Pick<FieldDefinition, 'type'>, value: FieldValue): string =>
  typeof value === 'number'
    ? String(value === 0 ? 0 : value)
    : type === 'PERSON'
      ? normalisedEmail(value)
      : value.trim()
