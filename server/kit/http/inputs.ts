import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'

import type { Schema } from '#contract/kit/endpoint.ts'

import { Refusal } from '../core/refusal.ts'

/** Validated input of a call. */
export interface Read {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

/** The schema's own message, or one for enumerations. */
const sentenceOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value' && issue.message === UNSAID
    ? `Please choose one of: ${issue.values.map(String).join(', ')}.`
    : issue.message
/** The validator's message where a schema has none. */
const UNSAID = 'Invalid input'

const fieldsOf = (error: z.core.$ZodError): Record<string, string> => {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= sentenceOf(issue)
  return fields
}
/**
 * The parsed value.
 * @throws Refusal 400 with the invalid fields
 */
export function check<S extends Schema>(schema: S | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const fields = fieldsOf(parsed.error)
  const [only, ...more] = Object.values(fields)
  throw new Refusal(400, more.length === 0 && only ? only : 'Some of the values are not valid.', { fields })
}

/** Limits of the query cache of one endpoint. */
const QUERIES_MAX = 100
const QUERY_LENGTH_MAX = 1_000

/** Parses the query string. Valid results are cached by the raw text, because grids and tiles repeat their queries. */
export function queryReader(schema: Schema | undefined): (request: FastifyRequest) => unknown {
  if (!schema) return () => undefined
  const known = new Map<string, unknown>()
  return ({ url, query }) => {
    const at = url.indexOf('?')
    const asked = at < 0 ? '' : url.slice(at + 1)
    if (known.has(asked)) return known.get(asked)
    const checked = frozen(check(schema, query))
    if (asked.length > QUERY_LENGTH_MAX) return checked
    if (known.size >= QUERIES_MAX) known.delete(known.keys().next().value!)
    known.set(asked, checked)
    return checked
  }
}

/** Freezes a value deeply, because the cache shares it between requests. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** A body that stayed bytes until its sender was authenticated. */
export const asJson = (body: unknown): unknown => {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.', { code: 'invalid_json' })
  }
}

/** Runs `work` now and defers its error until the result is read. */
export function attempt<T>(work: () => T): () => T {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}
