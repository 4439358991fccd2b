import * as z from 'zod/mini'

import { type Endpoint, isDownload, isList, type Schema } from '#contract/kit/endpoint.ts'

import { batchesOf, Rows } from './rows.ts'

/** Strips a handler's result to its declared fields. */
export type Cut = (value: unknown) => unknown
type Def = { readonly [name: string]: unknown } & { readonly type: string }
type Check = { readonly _zod: { readonly def: { readonly check: string } } }

const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def
const asItIs: Cut = (value) => value
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const PLAIN = new Set(['string', 'number', 'boolean', 'null', 'undefined', 'literal', 'enum', 'int', 'void'])

/**
 * Strips an endpoint's replies to the fields of its contract. A record is parsed. Of an array, the first row is parsed
 * and the others are only cut to its fields (docs/decisions/009).
 * @throws ZodError when a reply does not match its declaration
 */
export function cutterOf({ reply }: Endpoint): Cut {
  if (isDownload(reply)) return asItIs
  const schema = sparing(isList(reply) ? z.array(reply.item) : reply)
  return (value) => z.parse(schema, value)
}

/** Serialises a value as JSON in parts; undefined has none. */
export type Write = (value: unknown) => AsyncGenerator<string>

/**
 * Serialises an endpoint's long replies, stripped like `cutterOf` does. Writes a few rows at a time of arrays that are
 * the reply or one of its fields.
 * @throws ZodError when a reply does not match its declaration
 */
export function writerOf({ reply }: Endpoint): Write {
  if (isDownload(reply)) return writeAtOnce(asItIs)
  return writer(isList(reply) ? z.array(reply.item) : reply)
}

const writeAtOnce = (cut: Cut): Write =>
  async function* (value) {
    const kept = cut(value)
    if (kept !== undefined) yield JSON.stringify(kept)
  }

function writer(schema: Schema): Write {
  const def = defOf(schema)
  const spared = sparing(schema)
  const cut: Cut = (value) => z.parse(spared, value)
  // A schema with checks of its own is parsed as a whole.
  if (spared === schema) return writeAtOnce(cut)
  if (def.type === 'array') return arrayWriter(cut)
  if (def.type === 'object') {
    const fields = Object.entries(def['shape'] as Record<string, Schema>).map(
      ([name, field]) => [name, writer(field)] as const,
    )
    return fieldsWriter((value) => fields.map(([name, write]) => [name, write(value[name])]))
  }
  if (def.type === 'record') {
    const write = writer(def['valueType'] as Schema)
    return fieldsWriter((value) => Object.entries(value).map(([name, field]) => [name, write(field)]))
  }
  return writeAtOnce(cut)
}

const arrayWriter = (cut: Cut): Write =>
  async function* (value) {
    const batches = value instanceof Rows ? value.batches() : batchesOf(value as readonly unknown[])
    let before = '['
    for await (const batch of batches) {
      if (batch.length === 0) continue
      yield before + JSON.stringify(cut(batch)).slice(1, -1)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  }

type Fields = readonly (readonly [name: string, parts: AsyncGenerator<string>])[]
const fieldsWriter = (fieldsOf: (value: Record<string, unknown>) => Fields): Write =>
  async function* (value) {
    let before = '{'
    for (const [name, parts] of fieldsOf(value as Record<string, unknown>)) {
      let label = `${before}${JSON.stringify(name)}:`
      for await (const part of parts) {
        yield label + part
        label = ''
        before = ','
      }
    }
    yield before === '{' ? '{}' : '}'
  }

/** A copy of the schema whose arrays parse only their first row. */
function sparing(schema: Schema): Schema {
  const def = defOf(schema)
  if (def['checks'] || def['catchall']) return schema
  if (def.type === 'object') {
    const fields = Object.entries(def['shape'] as Record<string, Schema>)
    return z.object(Object.fromEntries(fields.map(([name, field]) => [name, sparing(field)])))
  }
  if (def.type === 'optional') return z.optional(sparing(def['innerType'] as Schema))
  if (def.type === 'nullable') return z.nullable(sparing(def['innerType'] as Schema))
  if (def.type === 'record') {
    const [key, value] = [def['keyType'] as Schema, sparing(def['valueType'] as Schema)]
    return z.pipe(
      z.unknown().check(z.refine(isRecord)),
      // Built from entries, so that every name is an own property, also that of a prototype.
      z.transform((given) =>
        Object.fromEntries(
          Object.entries(given as object).map(([name, one]) => [
            z.parse(key, name) as string,
            z.parse(value, one),
          ]),
        ),
      ),
    )
  }
  if (def.type !== 'array') return schema
  const element = def['element'] as Schema
  const cut = cutter(element)
  return z.pipe(
    z.array(z.unknown()),
    z.transform((rows) => rows.map((row, n) => (n === 0 ? z.parse(element, row) : cut(row)))),
  )
}

/** Cuts values to the declared fields, looking no deeper than necessary. */
function cutter(schema: Schema): Cut {
  const def = defOf(schema)
  const parsed: Cut = (value) => z.parse(schema, value)
  if (rewrites(def) || def['catchall']) return parsed
  // An object in place of a primitive must not pass unseen.
  if (PLAIN.has(def.type)) return (value) => (isRecord(value) ? parsed(value) : value)
  if (def.type === 'object') {
    const cut = recordCutter(def['shape'] as Record<string, Schema>)
    return (value) => (isRecord(value) ? cut(value) : parsed(value))
  }
  if (def.type === 'optional' || def.type === 'nullable') {
    const cut = cutter(def['innerType'] as Schema)
    return (value) => (value === null || value === undefined ? value : cut(value))
  }
  if (def.type === 'array') {
    const cut = cutter(def['element'] as Schema)
    return (value) => (Array.isArray(value) ? value.map((row) => cut(row)) : parsed(value))
  }
  // Only parsing decides between alternatives and transformations.
  return parsed
}

/** True when the output may differ from the input, as with trimmed text. */
function rewrites({ checks, coerce }: Def): boolean {
  const all = (checks ?? []) as readonly Check[]
  return coerce === true || all.some((check) => check._zod.def.check === 'overwrite')
}

function recordCutter(shape: Record<string, Schema>): (value: Record<string, unknown>) => unknown {
  const cuts = new Map(Object.entries(shape).map(([name, schema]) => [name, cutter(schema)]))
  // Most rows have exactly the declared fields and need no copy.
  const isCut = (value: Record<string, unknown>) => {
    for (const name in value) {
      const cut = cuts.get(name)
      if (!cut || cut(value[name]) !== value[name]) return false
    }
    return true
  }
  return (value) => {
    if (isCut(value)) return value
    const kept: Record<string, unknown> = {}
    for (const [name, cut] of cuts) {
      const left = cut(value[name])
      if (left !== undefined) kept[name] = left
    }
    return kept
  }
}
