import * as z from 'zod/mini'

import type { Schema } from '#contract/kit/endpoint.ts'
import { email } from '#contract/kit/text.ts'

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema | boolean
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

/** Schemas with a name of their own in the document. */
export type NamedSchemas = { readonly [name: string]: Schema }

/** A schema with defaults or transformations has different input and output. */
type Direction = 'input' | 'output'

export const COMPONENTS = '#/components/schemas/'
const PARTS = 'parts of the calls'

/** Collects the parts of all calls and converts them to JSON Schema together, so that they share named schemas. */
export class SchemaBook {
  readonly #names: NamedSchemas
  readonly #parts: Record<Direction, Record<string, Schema>> = { input: {}, output: {} }
  #written: Record<Direction, Record<string, JsonSchema>> | undefined

  constructor(names: NamedSchemas) {
    this.#names = names
  }

  /** Adds a part of a call. The returned function gives its JSON Schema after `write`. */
  add(direction: Direction, key: string, schema: Schema): () => JsonSchema {
    this.#parts[direction][key] = schema
    return () => this.#written![direction][key]!
  }

  /** Returns the used schemas that have names. */
  write(): Record<string, JsonSchema> {
    const all = { input: this.#convert('input'), output: this.#convert('output') }
    const used = { input: reached(all.input), output: reached(all.output) }
    const twofold = differing(all, used)
    const components: Record<string, JsonSchema> = {}
    const finish = (direction: Direction) => {
      const nameOf = (name: string) => (direction === 'input' && twofold.has(name) ? `${name}Input` : name)
      for (const name of used[direction])
        components[nameOf(name)] = withRefs(all[direction].named[name]!, nameOf)
      return Object.fromEntries(
        Object.entries(all[direction].parts).map(([key, schema]) => [key, withRefs(schema, nameOf)]),
      )
    }
    this.#written = { input: finish('input'), output: finish('output') }
    return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #convert(direction: Direction): Converted {
    const registry = z.registry<{ id: string }>()
    for (const [name, schema] of Object.entries(this.#names)) registry.add(schema, { id: name })
    registry.add(z.object(this.#parts[direction]), { id: PARTS })
    const { schemas } = z.toJSONSchema(registry, {
      io: direction,
      unrepresentable: 'any',
      uri: (name) => `${COMPONENTS}${name}`,
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema !== email) return
        jsonSchema.format = 'email'
        delete jsonSchema.pattern
      },
    })
    const { [PARTS]: parts, ...named } = schemas as Record<string, JsonSchema>
    return { parts: tidy(parts!).properties ?? {}, named: mapValues(named, tidy) }
  }
}

interface Converted {
  readonly parts: Record<string, JsonSchema>
  readonly named: Record<string, JsonSchema>
}

const mapValues = <A, B>(from: Record<string, A>, by: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, by(value)]))

const SAYS_ITSELF = new Set(['uuid', 'date-time', 'email'])
/** Keywords with values that carry no information. */
const UNSAID: Readonly<Record<string, (value: unknown, owner: JsonSchema) => boolean>> = {
  $schema: (value) => typeof value === 'string',
  $id: (value) => typeof value === 'string',
  id: (value) => typeof value === 'string',
  minItems: (value) => value === 0,
  minimum: (value) => value === Number.MIN_SAFE_INTEGER,
  maximum: (value) => value === Number.MAX_SAFE_INTEGER,
  pattern: (_, { format = '' }) => SAYS_ITSELF.has(format),
  // The server omits undeclared fields, but clients should accept fields of a later version.
  additionalProperties: (value) => value === false,
}
/** Removes noise: bounds of every number, patterns of well-known formats, `$schema`, ids. */
function tidy(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, function (this: unknown, key, value: unknown) {
      return UNSAID[key]?.(value, this as JsonSchema) ? undefined : value
    }),
  ) as JsonSchema
}

const refsIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!)

/** Names that the parts refer to, directly or through others. */
function reached({ parts, named }: Converted): Set<string> {
  const found = new Set<string>()
  const visit = (schema: unknown) => {
    for (const name of refsIn(schema)) {
      if (found.has(name)) continue
      found.add(name)
      visit(named[name])
    }
  }
  visit(parts)
  return found
}

/** Names of schemas whose input and output differ, or that refer to such a one. */
function differing(all: Record<Direction, Converted>, used: Record<Direction, Set<string>>): Set<string> {
  const both = [...used.input].filter((name) => used.output.has(name))
  const differ = new Set(
    both.filter((name) => JSON.stringify(all.input.named[name]) !== JSON.stringify(all.output.named[name])),
  )
  for (let before = -1; before !== differ.size;) {
    before = differ.size
    for (const name of both)
      if (refsIn(all.input.named[name]).some((other) => differ.has(other))) differ.add(name)
  }
  return differ
}

const withRefs = (schema: JsonSchema, nameOf: (name: string) => string): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replace(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
      (_, name: string) => `"$ref":"${COMPONENTS}${nameOf(name)}"`,
    ),
  ) as JsonSchema

interface Definition {
  readonly type: string
  readonly shape?: Record<string, Schema>
  readonly innerType?: Schema
  readonly in?: Schema
  readonly out?: Schema
}
const definitionOf = (schema: Schema | undefined) => (schema as { def?: Definition } | undefined)?.def

export const fieldsOf = (schema: Schema): Record<string, Schema> => definitionOf(schema)?.shape ?? {}
/** True for a reply without a body. */
export const isNothing = (schema: Schema): boolean => definitionOf(schema)?.type === 'undefined'

/** The schema inside JSON text, as in list queries; the schema itself otherwise. */
export function insideJson(schema: Schema): { schema: Schema; isJson: boolean } {
  const inner = parsedInside(schema)
  return { schema: inner ?? schema, isJson: inner !== undefined }
}
function parsedInside(schema: Schema): Schema | undefined {
  const definition = definitionOf(schema)
  if (!definition) return undefined
  const { type, innerType } = definition
  if ((type === 'optional' || type === 'default') && innerType) return parsedInside(innerType)
  if (definitionOf(definition.in)?.type !== 'string') return undefined
  const parsed = definitionOf(definition.out)
  return definitionOf(parsed?.in)?.type === 'transform' ? parsed?.out : undefined
}
