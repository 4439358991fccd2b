import * as z from 'zod/mini'

import type { Schema } from '#contract/kit/endpoint.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'

/** The parts of a JSON Schema that bound a value. */
interface Bounds {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Bounds
  readonly properties?: Readonly<Record<string, Bounds>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Bounds[]
}
const boundsOf = (schema: Schema): Bounds =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // A discriminated union counts as an ordinary one.
    override: ({ jsonSchema }) => {
      if (!jsonSchema.oneOf) return
      jsonSchema.anyOf = jsonSchema.oneOf
      delete jsonSchema.oneOf
    },
  }) as Bounds

/** UTF-8 bytes of a UTF-16 code unit, at most. */
const BYTES_PER_CHARACTER = 3
const UUID_BYTES = 38
const NUMBER_BYTES = 20

/** Bytes of the largest JSON text that a schema accepts; NaN for an unbounded one. */
export const largestBody = (schema: Schema): number => largest(boundsOf(schema))

function largest(bounds: Bounds): number {
  if (bounds.anyOf) return Math.max(...bounds.anyOf.map(largest))
  if (bounds.enum) return Math.max(...bounds.enum.map((value) => JSON.stringify(value).length))
  if (bounds.const !== undefined) return JSON.stringify(bounds.const).length
  if (bounds.type === 'string') {
    if (['uuid', 'date-time', 'date'].includes(bounds.format ?? '')) return UUID_BYTES
    return (bounds.maxLength ?? Number.NaN) * BYTES_PER_CHARACTER + 2
  }
  if (bounds.type === 'array') return (bounds.maxItems ?? Number.NaN) * (largest(bounds.items ?? {}) + 1) + 2
  if (bounds.type === 'object')
    return Object.entries(bounds.properties ?? {}).reduce(
      (sum, [name, field]) => sum + name.length + 4 + largest(field),
      2,
    )
  if (bounds.type === 'null' || bounds.type === 'boolean') return 5
  return bounds.type === 'integer' || bounds.type === 'number' ? NUMBER_BYTES : Number.NaN
}

type Path = readonly (string | number)[]
/** A text field of a body. */
export interface TextField {
  readonly path: Path
  /** Maximum of characters; undefined for an identifier, a timestamp or an enumeration. */
  readonly max: number | undefined
}

/** All text fields of a schema at any depth; of a list those of the first item. */
export const textFieldsOf = (schema: Schema): TextField[] => textFields(boundsOf(schema), [])

function textFields(bounds: Bounds, path: Path): TextField[] {
  if (bounds.anyOf) return bounds.anyOf.flatMap((one) => textFields(one, path))
  if (bounds.type === 'string' || bounds.enum)
    return [{ path, max: bounds.enum || bounds.format ? undefined : bounds.maxLength }]
  if (bounds.type === 'array') return textFields(bounds.items ?? {}, [...path, 0])
  return Object.entries(bounds.properties ?? {}).flatMap(([name, field]) =>
    textFields(field, [...path, name]),
  )
}

/** A plain value for a schema. Every text is `x`, so that tests replace only one field. */
export const plainValueOf = (schema: Schema): unknown => plainValue(boundsOf(schema))

function plainValue(bounds: Bounds): unknown {
  if (bounds.anyOf) return plainValue(bounds.anyOf[0]!)
  if (bounds.enum) return bounds.enum[0]
  if (bounds.const !== undefined) return bounds.const
  if (bounds.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (bounds.format === 'date-time') return '2030-01-01T00:00:00.000Z'
  if (bounds.format === 'date') return '2030-01-01'
  if (bounds.type === 'string') return 'x'
  if (bounds.type === 'array') return [plainValue(bounds.items ?? {})]
  if (bounds.type === 'object')
    return Object.fromEntries(
      Object.entries(bounds.properties ?? {}).map(([name, field]) => [name, plainValue(field)]),
    )
  if (bounds.type === 'boolean') return false
  return bounds.type === 'integer' || bounds.type === 'number' ? 1 : null
}

export const requiredFieldsOf = (schema: Schema): readonly string[] => boundsOf(schema).required ?? []

/**
 * The largest value of a schema, with `fill` in every text and at most `itemsMax` items in every list.
 * Identifiers and timestamps stay plain.
 */
export const worstValueOf = (schema: Schema, fill: (max: number) => string, itemsMax: number): unknown =>
  worstValue(boundsOf(schema), fill, itemsMax)

function worstValue(bounds: Bounds, fill: (max: number) => string, itemsMax: number): unknown {
  const deeper = (inner: Bounds) => worstValue(inner, fill, itemsMax)
  if (bounds.anyOf) return deeper(bounds.anyOf.toSorted((a, b) => largest(b) - largest(a))[0]!)
  if (bounds.type === 'string' && !bounds.enum && !bounds.format)
    return fill(bounds.maxLength ?? SHORT_TEXT_MAX)
  if (bounds.type === 'array')
    return Array.from({ length: Math.min(bounds.maxItems ?? itemsMax, itemsMax) }, () =>
      deeper(bounds.items ?? {}),
    )
  if (bounds.type === 'object')
    return Object.fromEntries(
      Object.entries(bounds.properties ?? {}).map(([name, field]) => [name, deeper(field)]),
    )
  return plainValue(bounds)
}

/** A copy of a value with one field replaced. */
export function withField(value: unknown, [key, ...rest]: Path, field: unknown): unknown {
  if (key === undefined) return field
  if (Array.isArray(value)) return value.map((item, n) => (n === key ? withField(item, rest, field) : item))
  // Another variant of a union may have text here instead of fields.
  const fields = (typeof value === 'object' ? value : {}) as Record<string | number, unknown>
  return { ...fields, [key]: withField(fields[key], rest, field) }
}
