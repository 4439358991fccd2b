import * as z from 'zod/mini'

import { listOf, LONG_TEXT_MAX, trimmedText } from '#contract/kit/text.ts'

import {
  CONFIG,
  type ConfigItemDeclaration,
  type ConfigKey,
  type ConfigType,
  type ConfigValue,
} from './catalogue.ts'

/** Characters of a value as JSON text. */
export const VALUE_JSON_MAX = LONG_TEXT_MAX
export const NOT_JSON = 'This value is not valid JSON text.'
export const VALUE_REQUIRED = 'Please enter a value.'
export const LISTED_TWICE = 'Each entry can be listed once.'
const ENTRIES_MAX = 500

const range = ({ min = 0, max = Number.MAX_SAFE_INTEGER }: ConfigItemDeclaration): string =>
  `Please enter a whole number from ${min} to ${max}.`
const oneOf = (options: readonly string[]): string => `Please choose one of ${options.join(', ')}.`

const hasNoDouble = (values: readonly unknown[]): boolean => new Set(values).size === values.length
const list = <Entry extends z.ZodMiniType>(
  entry: Entry,
  { minLength = 0, maxLength = ENTRIES_MAX }: ConfigItemDeclaration,
) =>
  listOf(entry, maxLength, minLength > 0 ? { required: 'Please enter at least one.' } : {}).check(
    z.refine<unknown[]>(hasNoDouble, LISTED_TWICE),
  )

function entrySchema({ options, pattern }: ConfigItemDeclaration) {
  if (options) return z.enum(options, oneOf(options))
  return pattern ? trimmedText().check(z.regex(pattern.regex, pattern.problem)) : trimmedText()
}

function wholeNumber(item: ConfigItemDeclaration) {
  const problem = range(item)
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = item
  return z.int(problem).check(z.minimum(min, problem), z.maximum(max, problem))
}

const matches = (value: string, { pattern, isValid }: ConfigItemDeclaration): boolean =>
  value === '' || ((!pattern || pattern.regex.test(value)) && (!isValid || isValid(value)))

const SCHEMAS: { readonly [T in ConfigType]: (item: ConfigItemDeclaration) => z.ZodMiniType } = {
  BOOLEAN: () => z.boolean('Please choose yes or no.'),
  INTEGER: wholeNumber,
  NUMBER_LIST: (item) => list(wholeNumber(item), item),
  STRING_LIST: (item) => list(entrySchema(item), item),
  ENUM: ({ options = [] }) => z.enum(options, oneOf(options)),
  STRING: (item) =>
    trimmedText(item.maxLength).check(
      z.refine((value) => matches(value, item), item.pattern?.problem ?? VALUE_REQUIRED),
    ),
}
/** The schema of an item's value, with its range, choices or pattern. */
export const valueSchema = (item: ConfigItemDeclaration): z.ZodMiniType => SCHEMAS[item.type](item)

/** A valid value (null for none), or the reason why it is invalid. */
export type ReadValue = { readonly value: ConfigValue | null } | { readonly problem: string }

/**
 * Reads an item's value from JSON text. Null and an empty text pass for every type, because the scope decides
 * if an item needs a value (decisions §5).
 */
export function readConfigValue(key: ConfigKey, json: string): ReadValue {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    return { problem: NOT_JSON }
  }
  if (given === null || given === '') return { value: given }
  const read = valueSchema(CONFIG[key]).safeParse(given)
  if (!read.success) return { problem: read.error.issues[0]?.message ?? VALUE_REQUIRED }
  return { value: read.data as ConfigValue }
}

/** Rights to change an item in the interface, by its `modifyAccess`. */
export const configCan = {
  /** The provider's staff change all items except those that only a release changes (administration §6). */
  changeAsStaff: ({ modifyAccess }: Pick<ConfigItemDeclaration, 'modifyAccess'>): boolean =>
    modifyAccess !== 'DEVELOPMENT_TEAM_ONLY',
  changeAsAdministrator: ({ modifyAccess }: Pick<ConfigItemDeclaration, 'modifyAccess'>): boolean =>
    modifyAccess === 'ORGANIZATION_ADMIN',
}
