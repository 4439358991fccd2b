import * as z from 'zod/mini'

import type { Access, Permission } from '#contract/kit/access.ts'
import {
  type Api,
  type Endpoint,
  IDEMPOTENCY_KEY_MAX,
  isBytes,
  isDownload,
  isList,
  isRepeatable,
  isUpload,
  type Schema,
} from '#contract/kit/endpoint.ts'
import { Problem } from '#contract/kit/refusal.ts'

import { exampleOf } from './examples.ts'
import {
  COMPONENTS,
  fieldsOf,
  insideJson,
  isNothing,
  type JsonSchema,
  type NamedSchemas,
  SchemaBook,
} from './schemas.ts'

interface Content {
  readonly [type: string]: { readonly schema: JsonSchema; readonly example?: unknown }
}
/** `Access`, with its lists under names that are no keywords of JSON Schema. */
interface StatedAccess {
  readonly realm: Access['realm']
  readonly anyPermission?: readonly Permission[]
  readonly everyPermission?: readonly Permission[]
  readonly verifiedWith?: Permission
}
interface Schemas {
  readonly [name: string]: JsonSchema
}
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema?: JsonSchema
  /** For a parameter that is JSON in text. */
  readonly content?: Content
}
export interface Response {
  readonly description: string
  readonly headers?: {
    readonly [name: string]: { readonly description: string; readonly schema: JsonSchema }
  }
  readonly content?: Content
}
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly 'x-muster-access': StatedAccess
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: { readonly [status: string]: Response | { readonly $ref: string } }
}
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly responses: { readonly [name: string]: Response }
    readonly securitySchemes: { readonly [name: string]: object }
  }
}

const DESCRIPTION =
  'Every call is checked against this document, authorised on the server and scoped to one organisation. ' +
  'A refused call answers a `Problem`.'

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that a sign-in answers.',
  },
  organisation: {
    type: 'apiKey',
    in: 'header',
    name: 'Enterprise-Code',
    description: 'The code of the organisation, beside a bearer token.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A key that an administrator made. It acts as the organisation, not as a person.',
  },
}

/** Parameter of every call that changes or sends something. */
const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own for this act. The same request under the same key is done once within 24 hours and answered the same again.',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX },
}

/** Refusals that calls share, by status. */
const REFUSALS: { readonly [status: number]: readonly [name: string, description: string] } = {
  400: ['Invalid', 'Something that was sent is not valid; `fields` says what.'],
  401: ['Unauthenticated', 'Nobody is signed in, or no longer.'],
  403: ['Forbidden', 'The caller may not do this.'],
  404: ['NotFound', 'It does not exist, or belongs to another organisation.'],
  413: ['TooLarge', 'The body is too large.'],
  415: ['UnsupportedMediaType', 'The content type is not accepted.'],
  422: ['KeyReused', 'Another request was made under this Idempotency-Key.'],
  429: [
    'TooManyRequests',
    'Too often. `msUntilNextAttempt` and the header Retry-After say when to try again.',
  ],
  507: ['InsufficientStorage', 'The server has no room left to store anything. Nothing was saved.'],
}

/** The interface as OpenAPI 3.1, from the contracts that validate every call, which share named schemas. */
export function openApiDocument(
  apis: { readonly [noun: string]: Api },
  version: string,
  names: NamedSchemas = {},
  base = '/api',
): OpenApi {
  const book = new SchemaBook({ ...names, Problem })
  const problem = book.add('output', 'problem', Problem)
  // Calls register their schemas first; these are converted together; then each call is written.
  const calls = Object.entries(apis).flatMap(([noun, api]) =>
    Object.entries(api).map(([name, endpoint]) => ({ endpoint, put: describe(book, noun, name, endpoint) })),
  )
  const schemas = book.write()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { endpoint, put } of calls)
    (paths[endpoint.path.replace(/:(\w+)/g, '{$1}')] ??= {})[endpoint.method.toLowerCase()] = put(schemas)
  return {
    openapi: '3.1.0',
    info: { title: 'Muster', version, description: DESCRIPTION },
    servers: [{ url: base }],
    tags: Object.keys(apis).map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses: Object.fromEntries(
        Object.values(REFUSALS).map(([name, description]) => [name, refusal(description, problem())]),
      ),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })
const refusal = (description: string, problem: JsonSchema): Response => ({
  description,
  content: json(problem),
})
const BINARY: JsonSchema = { type: 'string', format: 'binary' }

function describe(
  book: SchemaBook,
  noun: string,
  name: string,
  endpoint: Endpoint,
): (schemas: Schemas) => Operation {
  const key = `${noun}.${name}`
  const parameters = [
    ...parametersOf(book, `${key}.path`, 'path', endpoint.params),
    ...parametersOf(book, `${key}.query`, 'query', endpoint.query),
    ...parametersOf(book, `${key}.headers`, 'header', endpoint.headers),
    ...(isRepeatable(endpoint) ? [] : [() => IDEMPOTENCY_KEY]),
  ]
  const body = bodyOf(book, `${key}.body`, endpoint)
  const reply = replyOf(book, `${key}.reply`, endpoint)
  return (schemas) => ({
    operationId: key,
    tags: [noun],
    summary: endpoint.summary,
    security: securityOf(endpoint.access),
    'x-muster-access': statedAccess(endpoint.access),
    ...(parameters.length > 0 ? { parameters: parameters.map((put) => put()) } : {}),
    ...(body ? { requestBody: { required: true as const, content: body(schemas) } } : {}),
    responses: { ...reply(), ...refusalsOf(endpoint) },
  })
}

function statedAccess(access: Access): StatedAccess {
  if (!('anyOf' in access || 'allOf' in access || 'verifiedWith' in access)) return { realm: access.realm }
  const { realm, anyOf, allOf, verifiedWith } = access
  return {
    realm,
    ...(anyOf && { anyPermission: anyOf }),
    ...(allOf && { everyPermission: allOf }),
    ...(verifiedWith && { verifiedWith }),
  }
}

function securityOf(access: Access): Operation['security'] {
  if (access.realm === 'public') return []
  const person = { bearer: [], organisation: [] }
  if (access.realm === 'organisation') return [person, { apiKey: [] }]
  return access.realm === 'provider' ? [{ bearer: [] }] : [person]
}

function parametersOf(
  book: SchemaBook,
  key: string,
  place: Parameter['in'],
  schema: Schema | undefined,
): (() => Parameter)[] {
  if (!schema) return []
  return Object.entries(fieldsOf(schema)).map(([name, field]) => {
    const { schema: inner, isJson } = insideJson(field)
    const put = book.add('input', `${key}.${name}`, inner)
    const required = place === 'path' || !z.safeParse(field, undefined).success
    return () => ({ name, in: place, required, ...(isJson ? { content: json(put()) } : { schema: put() }) })
  })
}

function bodyOf(
  book: SchemaBook,
  key: string,
  { body }: Endpoint,
): ((schemas: Schemas) => Content) | undefined {
  if (!body) return undefined
  if (isBytes(body)) return () => ({ [body.type]: { schema: BINARY } })
  if (!isUpload(body)) {
    const put = book.add('input', key, body)
    return (schemas) => {
      const schema = put()
      return { 'application/json': { schema, example: exampleOf(schema, schemas) } }
    }
  }
  const put = book.add('input', key, body.fields)
  return () => {
    const fields = put()
    const properties = { file: BINARY, ...fields.properties }
    const required = ['file', ...(fields.required ?? [])]
    return { 'multipart/form-data': { schema: { type: 'object', properties, required } } }
  }
}

function replyOf(book: SchemaBook, key: string, endpoint: Endpoint): () => Operation['responses'] {
  const { reply } = endpoint
  if (isDownload(reply)) {
    const content = Object.fromEntries(reply.types.map((type) => [type, { schema: BINARY }]))
    const name = { description: 'The name of the file (RFC 6266).', schema: { type: 'string' } }
    return () => ({ 200: { description: 'The file.', headers: { 'Content-Disposition': name }, content } })
  }
  if (isList(reply)) {
    const put = book.add('output', key, reply.item)
    const range = {
      description: 'Which of how many rows these are, such as `items 0-49/128`.',
      schema: { type: 'string' },
    }
    const minimum = {
      description:
        '`true` where not all rows were counted: there are at least as many as `Content-Range` says.',
      schema: { type: 'string' },
    }
    return () => ({
      200: {
        description: 'The whole list, or the page that `range` asks for.',
        headers: { 'Content-Range': range, 'Total-Is-Minimum': minimum },
        content: json({ type: 'array', items: put() }),
      },
    })
  }
  if (isNothing(reply)) return () => ({ 204: { description: 'Done.' } })
  const put = book.add('output', key, reply)
  const status = endpoint.status ?? 200
  if (status === 204) return () => ({ 204: { description: 'Done. The headers say the rest.' } })
  return () => ({ [status]: { description: status === 201 ? 'Made.' : 'Done.', content: json(put()) } })
}

function refusalsOf(endpoint: Endpoint): Operation['responses'] {
  const { method, access, params, query, body, errors = {} } = endpoint
  const usual = [
    ...(params || query || body ? [400] : []),
    ...(access.realm === 'public' ? [] : [401, 403]),
    ...(params ? [404] : []),
    ...(body ? [413, 415] : []),
    ...(isRepeatable(endpoint) ? [] : [422]),
    429,
    ...(method === 'GET' ? [] : [507]),
  ]
  const problem: JsonSchema = { $ref: `${COMPONENTS}Problem` }
  return {
    ...Object.fromEntries(
      usual.map((status) => [status, { $ref: `#/components/responses/${REFUSALS[status]![0]}` }]),
    ),
    ...Object.fromEntries(
      Object.entries(errors).map(([status, description]) => [status, refusal(description, problem)]),
    ),
  }
}

/** The sentence of a shared refusal. */
export const sharedRefusal = (document: OpenApi, ref: string): Response =>
  document.components.responses[ref.slice(ref.lastIndexOf('/') + 1)]!
