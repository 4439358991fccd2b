import type { OpenApi } from './document.ts'
import { COMPONENTS, type JsonSchema } from './schemas.ts'
import { type Html, html } from '../http/page.ts'

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'timestamp',
  email: 'email address',
  binary: 'file',
}
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
}

const refName = (ref: string): string => ref.slice(COMPONENTS.length)
const joined = (parts: readonly Html[], word: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${word}${part}`))}`
const literal = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`

/** A short description of a value's type. Named schemas are links. */
export function typeOf(schema: JsonSchema): Html {
  if (schema.$ref) return html`<a href="#schema-${refName(schema.$ref)}">${refName(schema.$ref)}</a>`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joined(choices.map(typeOf), ' or ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return html`one of ${joined(schema.enum.map(literal), ', ')}`
  if (schema.prefixItems) return html`[${joined(schema.prefixItems.map(typeOf), ', ')}]`
  if (Array.isArray(schema.type))
    return joined(
      schema.type.map((type) => typeOf({ ...schema, type })),
      ' or ',
    )
  if (schema.type === 'array') {
    const items = typeof schema.items === 'object' ? schema.items : {}
    return html`list of ${typeOf(items)}`
  }
  return html`${FORMATS[schema.format ?? ''] ?? TYPES[schema.type ?? ''] ?? 'anything'}`
}

const between = (min: number | undefined, max: number | undefined, what: string): string | undefined => {
  if (min === undefined && max === undefined) return undefined
  if (max === undefined) return min === 0 ? undefined : `at least ${min}${what}`
  return min === undefined || min === 0 ? `at most ${max}${what}` : `${min} to ${max}${what}`
}

/** The limits of a value and of its alternatives. */
function limitsOf(schema: JsonSchema): (string | Html)[] {
  const own = [
    between(schema.minLength, schema.maxLength, ' characters'),
    between(schema.minItems, schema.maxItems, ' entries'),
    schema.minimum !== undefined && schema.minimum === 0 && schema.maximum !== undefined
      ? `0 to ${schema.maximum}`
      : between(schema.minimum, schema.maximum, ''),
    schema.pattern === undefined ? undefined : html`matches <code>${schema.pattern}</code>`,
    schema.default === undefined ? undefined : html`${literal(schema.default)} when left out`,
  ].filter((limit) => limit !== undefined)
  const others = (schema.anyOf ?? []).flatMap(limitsOf)
  return [...own, ...others]
}

interface Row {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

/** The fields of an object, with those of nested nameless objects below them. */
function rowsOf(schema: JsonSchema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key
    const row = { name, schema: field, required: schema.required?.includes(key) ?? false }
    return [row, ...inner(field, name)]
  })
}
function inner(schema: JsonSchema, name: string): Row[] {
  if (schema.properties) return rowsOf(schema, `${name}.`)
  if (schema.type === 'array' && typeof schema.items === 'object') return inner(schema.items, `${name}[]`)
  return (schema.anyOf ?? []).flatMap((choice) => inner(choice, name))
}

/** A table of the fields of a request or reply; replies have no `required`. */
export function fieldsTable(schema: JsonSchema, caption: string, sent: boolean): Html {
  const rows = rowsOf(schema)
  if (rows.length === 0) return html`<p>${caption}: ${typeOf(schema)}.</p>`
  return table(
    caption,
    rows.map(({ name, schema: field, required }) => ({ name, schema: field, mark: sent && required })),
  )
}

/** A table of names, types and limits. */
export const table = (
  caption: string,
  rows: readonly { readonly name: string; readonly schema: JsonSchema; readonly mark: boolean }[],
): Html => html`
  <div class="wide" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Limits</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, schema, mark }) => html`
            <tr>
              <th scope="row">
                <code>${name}</code>${mark && html` <span class="required">required</span>`}
              </th>
              <td>${typeOf(schema)}</td>
              <td>${limitsOf(schema).map((limit, index) => html`${index > 0 && '; '}${limit}`)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`

/** The target of a reference; the schema itself otherwise. */
export const resolved = (document: OpenApi, schema: JsonSchema): JsonSchema =>
  schema.$ref ? document.components.schemas[refName(schema.$ref)]! : schema
