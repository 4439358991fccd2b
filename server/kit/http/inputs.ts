import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'

import type { Schema } from '#contract/kit/endpoint.ts'

import { Refusal } from '../core/refusal.ts'

/** What a call was given, as its contract wants it. */
export interface Read {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

/** The schema's own sentence; where it has none for a value of few possible ones, these. */
const sentenceOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value' && issue.message === UNSAID
    ? `Please choose one of: ${issue.values.map(String).join(', ')}.`
    : issue.message
/** What the validator says where a schema says nothing. */
const UNSAID = 'Invalid input'

const fieldsOf = (error: z.core.$ZodError): Record<string, string> => {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.')] ??= sentenceOf(issue)
  return fields
}
/** The value as the schema wants it; throws 400 with the fields that are not. */
export function check<S extends Schema>(schema: S | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const fields = fieldsOf(parsed.error)
  const [only, ...more] = Object.values(fields)
  throw new Refusal(400, more.length === 0 && only ? only : 'Some of the values are not valid.', { fields })
}

/** Queries of one endpoint that are remembered, and the longest of them. */
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

/** A body that was kept as bytes until its sender was known. */
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
