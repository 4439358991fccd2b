import * as z from 'zod/mini'

import { type Endpoint, isDownload, isList, type Schema } from '#contract/kit/endpoint.ts'

/** Makes of what a handler answered what may leave. */
export type Cut = (value: unknown) => unknown
type Def = { readonly [name: string]: unknown } & { readonly type: string }

const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def
const asItIs: Cut = (value) => value
const PLAIN = new Set(['string', 'number', 'boolean', 'null', 'undefined', 'literal', 'enum', 'int', 'void'])

/**
 * How an endpoint's replies are cut to what its contract declares. A record is parsed. Of the rows of an array the first
 * is parsed, the others are only cut to the same fields: what a handler answers was checked when it was compiled, and
 * rows come out of one statement. Parsing each would take longer than everything else that is done for a page.
 */
export function cutterOf({ reply }: Endpoint): Cut {
  if (isDownload(reply)) return asItIs
  const schema = sparing(isList(reply) ? z.array(reply.item) : reply)
  return (value) => z.parse(schema, value)
}

/** The same schema, whose arrays spare themselves all but the first row. */
function sparing(schema: Schema): Schema {
  const def = defOf(schema)
  if (def['checks'] || def['catchall']) return schema
  if (def.type === 'object') {
    const fields = Object.entries(def['shape'] as Record<string, Schema>)
    return z.object(Object.fromEntries(fields.map(([name, field]) => [name, sparing(field)])))
  }
  if (def.type === 'optional') return z.optional(sparing(def['innerType'] as Schema))
  if (def.type === 'nullable') return z.nullable(sparing(def['innerType'] as Schema))
  if (def.type !== 'array') return schema
  const element = def['element'] as Schema
  const cut = cutter(element)
  return z.pipe(
    z.array(z.unknown()),
    z.transform((rows) => rows.map((row, n) => (n === 0 ? z.parse(element, row) : cut(row)))),
  )
}

/** Cuts values to the fields that a schema declares, without looking at what is in them. */
function cutter(schema: Schema): Cut {
  const def = defOf(schema)
  if (PLAIN.has(def.type)) return asItIs
  if (def.type === 'object' && !def['catchall']) return objectCutter(def['shape'] as Record<string, Schema>)
  if (def.type === 'optional' || def.type === 'nullable') {
    const cut = cutter(def['innerType'] as Schema)
    return cut === asItIs ? asItIs : (value) => (value == null ? value : cut(value))
  }
  if (def.type === 'array') {
    const cut = cutter(def['element'] as Schema)
    return (value) => (value as unknown[]).map(cut)
  }
  // Which of several shapes it is, only parsing tells.
  return (value) => z.parse(schema, value)
}

/** As one object literal, which the engine builds many times faster than field by field. */
function objectCutter(shape: Record<string, Schema>): Cut {
  const cuts = Object.values(shape).map(cutter)
  const fields = Object.keys(shape).map((name, n) => {
    const key = JSON.stringify(name)
    return `${key}: ${cuts[n] === asItIs ? `value[${key}]` : `cuts[${n}](value[${key}])`}`
  })
  // oxlint-disable-next-line typescript/no-implied-eval -- made of the contract's own field names, at the start
  return new Function('cuts', `return (value) => ({ ${fields.join(', ')} })`)(cuts) as Cut
}
