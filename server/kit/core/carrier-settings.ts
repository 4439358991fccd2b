import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'

import * as z from 'zod/mini'

import { withoutEnd } from '#contract/kit/cut.ts'

import { isCallable } from './hosts.ts'
import { CannotStart } from './start-problems.ts'

const TEXT_MAX = 2_000
const CARRIERS_MAX = 20
/** Least length of a secret that callbacks are known by. */
const SECRET_MIN = 16

const text = z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(TEXT_MAX, 'is too long'))
const phone = z
  .string()
  .check(z.regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number, as a plus sign and digits'))
/** A path into a JSON answer, such as `messages.0.id`. */
const path = z
  .string()
  .check(z.regex(/^[\w-]{1,100}(\.[\w-]{1,100}){0,9}$/, 'must be a path such as messages.0.id'))
const statuses = z.array(z.int().check(z.gte(100), z.lte(599)))
const words = z.array(z.union([z.string(), z.number()]))

const common = {
  /** Name in the ledger of attempts, and in the addresses that the carrier calls. */
  name: z
    .string()
    .check(
      z.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, such as acme-sms'),
    ),
  /** Beginnings of the numbers that it serves; without them all numbers. */
  prefixes: z.optional(
    z
      .array(z.string().check(z.regex(/^\+[1-9]\d{0,8}$/, 'must be a plus sign and digits, such as +44')))
      .check(z.minLength(1, 'must name at least one')),
  ),
  channels: z.optional(
    z
      .array(z.enum(['SMS', 'VOICE_CALL'], 'must be SMS or VOICE_CALL'))
      .check(z.minLength(1, 'must name at least one')),
  ),
  /** Messages handed over in a second, by all processes together. */
  ratePerSecond: z.optional(
    z
      .number()
      .check(z.gte(1, 'must be a number from 1 to 1000'), z.lte(1_000, 'must be a number from 1 to 1000')),
  ),
}

const TwilioCarrier = z.strictObject({
  ...common,
  kind: z.literal('twilio'),
  accountSid: text,
  authToken: text,
  from: phone,
  baseUrl: z.optional(text),
})
const SimulatorCarrier = z.strictObject({ ...common, kind: z.literal('simulator') })
const HttpCarrier = z.strictObject({
  ...common,
  kind: z.literal('http'),
  url: text,
  method: z.optional(z.enum(['POST', 'PUT'], 'must be POST or PUT')),
  /** Allows http, and hosts of this machine or a private network. */
  allowPrivate: z.optional(z.boolean()),
  headers: z.optional(
    z.record(z.string().check(z.regex(/^[\w-]{1,100}$/, 'must be names of headers')), text),
  ),
  /** Basic authentication. */
  auth: z.optional(z.strictObject({ user: text, password: text })),
  /** Sender, where the body has {{from}}. */
  from: z.optional(z.string().check(z.maxLength(50, 'is too long'))),
  /** JSON with placeholders in its texts. */
  body: z.record(z.string(), z.unknown()),
  timeoutSeconds: z.optional(
    z.int().check(z.gte(1, 'must be from 1 to 120'), z.lte(120, 'must be from 1 to 120')),
  ),
  answer: z.strictObject({
    /** The provider's id of the message. */
    id: path,
    code: z.optional(path),
    reason: z.optional(path),
    /** A value that an accepted message has beside its status. */
    success: z.optional(z.strictObject({ path, values: words })),
  }),
  /** Statuses of an accepted message; 200 to 202. */
  accepted: z.optional(statuses),
  /** Statuses of a message that the provider refuses for good; 400, 404, 422. */
  refused: z.optional(statuses),
  /** Statuses of trouble with which it has certainly not accepted the message; 401, 402, 403, 408, 429. */
  notAccepted: z.optional(statuses),
  /** Codes of trouble of the account, with which no message is refused for good. */
  troubleCodes: z.optional(words),
  /** True where the provider drops a second request with the same {{id}}. */
  isRepeatable: z.optional(z.boolean()),
  /** The request that finds a message by {{id}}, whose answer was lost. */
  lookup: z.optional(z.strictObject({ url: text, id: path })),
  callback: z.optional(
    z.strictObject({
      secret: z.string().check(z.minLength(SECRET_MIN, `must be at least ${SECRET_MIN} characters`)),
      /** Header with the HMAC-SHA256 of the body; without it the secret is in the address. */
      header: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/, 'must be the name of a header'))),
      report: z.optional(
        z.strictObject({
          id: path,
          state: path,
          code: z.optional(path),
          /** Meanings of the provider's states; others are on the way. */
          states: z.record(z.string(), z.enum(['DELIVERED', 'FAILED'], 'must be DELIVERED or FAILED')),
        }),
      ),
      inbound: z.optional(z.strictObject({ id: path, from: path, to: path, text: path })),
    }),
  ),
})
const Carrier = z.discriminatedUnion('kind', [TwilioCarrier, SimulatorCarrier, HttpCarrier], {
  error: 'must be twilio, http or simulator',
})

export type TwilioSpec = z.infer<typeof TwilioCarrier>
export type HttpSpec = z.infer<typeof HttpCarrier>
/** A carrier of SMS and calls, in the order in which they are tried. */
export type CarrierSpec = z.infer<typeof Carrier>

/** Placeholders of a body. Headers and addresses take `{{id}}` only. */
export const PLACEHOLDERS = ['to', 'from', 'text', 'id', 'callbackUrl', 'language'] as const

/** The text of the setting: the JSON itself, or that of a file. */
function read(value: string): { text: string; where: string } {
  if (!isAbsolute(value)) return { text: value, where: 'The setting CARRIERS' }
  try {
    return { text: readFileSync(value, 'utf8'), where: `The file ${value} of the setting CARRIERS` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CannotStart(`The file ${value} of the setting CARRIERS cannot be read: ${code}.`, {
      cause: error,
    })
  }
}

/** Line of the entry of a list, or of its member, from 1. */
function lineOf(json: string, index: number, member: string | undefined): number {
  let depth = 0
  let entry = -1
  let first = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]!
    if (character === '"') {
      const from = at
      for (at += 1; at < json.length && json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1
      const isMember = depth === 2 && entry === index && member === json.slice(from + 1, at)
      if (isMember) return json.slice(0, from).split('\n').length
    } else if (character === '{' || character === '[') {
      depth += 1
      if (depth === 2) {
        entry += 1
        if (entry === index) first = at
      }
    } else if (character === '}' || character === ']') depth -= 1
  }
  return json.slice(0, first).split('\n').length
}

/** Strings of a value with `${NAME}` replaced by the environment variable. */
function filledIn(value: unknown, env: NodeJS.ProcessEnv, missing: (name: string) => never): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([A-Z][A-Z0-9_]{0,99})\}/g, (_, name: string) => env[name] || missing(name))
  if (Array.isArray(value)) return value.map((one) => filledIn(one, env, missing))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, filledIn(one, env, missing)] as const),
    )
  return value
}

/** Placeholders in a text that nothing fills in. */
function unknownPlaceholder(value: unknown, known: readonly string[]): string | undefined {
  if (typeof value === 'string')
    return [...value.matchAll(/\{\{([^{}]{0,100})\}\}/g)]
      .map(([, name]) => name!)
      .find((name) => !known.includes(name))
  if (value === null || typeof value !== 'object') return undefined
  return Object.values(value)
    .map((one) => unknownPlaceholder(one, known))
    .find((name) => name !== undefined)
}

/** The problem of an address that requests go to; undefined for none. */
function urlProblem(url: string, allowPrivate: boolean): string | undefined {
  const filled = url.replaceAll('{{id}}', 'id')
  if (!URL.canParse(filled)) return 'must be a URL'
  const { protocol, origin } = new URL(filled)
  if (!(allowPrivate ? /^https?:$/.test(protocol) : isCallable(filled)))
    return 'must begin with https:// and name a public host, unless allowPrivate is true'
  return url.startsWith(origin) ? undefined : 'must have its host in small letters and without a placeholder'
}

type Problem = readonly [field: string, problem: string]
/** The problem of the addresses of a carrier over HTTP; undefined for none. */
function addressProblem({ url, lookup, allowPrivate = false }: HttpSpec): Problem | undefined {
  const wrongUrl = urlProblem(url, allowPrivate)
  if (wrongUrl !== undefined) return ['url', wrongUrl]
  if (!lookup) return undefined
  const wrongLookup = urlProblem(lookup.url, allowPrivate)
  if (wrongLookup !== undefined) return ['lookup', `has an address that ${wrongLookup}`]
  return lookup.url.includes('{{id}}') ? undefined : ['lookup', 'must have {{id}} in its address']
}
/** The problem of the texts of a carrier over HTTP; undefined for none. */
function templateProblem({ url, body, headers }: HttpSpec): Problem | undefined {
  for (const [field, value, known] of [
    ['body', body, PLACEHOLDERS],
    ['headers', headers, ['id']],
    ['url', url, ['id']],
  ] as const) {
    const unknown = unknownPlaceholder(value, known)
    if (unknown !== undefined)
      return [field, `has the placeholder {{${unknown}}}, which nothing fills in (${known.join(', ')})`]
  }
  const whole = JSON.stringify(body)
  const lacks = ['to', 'text'].find((name) => !whole.includes(`{{${name}}}`))
  return lacks === undefined ? undefined : ['body', `must have the placeholder {{${lacks}}}`]
}
const isWebUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** The first problem that the schema cannot tell, with its field. */
function problemOf(spec: CarrierSpec): Problem | undefined {
  if (spec.kind === 'simulator') return undefined
  if (spec.kind === 'twilio')
    return spec.baseUrl === undefined || isWebUrl(spec.baseUrl) ? undefined : ['baseUrl', 'must be a URL']
  const { callback } = spec
  const isUnsafe =
    callback !== undefined && callback.header === undefined && !/^[\w-]+$/.test(callback.secret)
  return (
    addressProblem(spec) ??
    templateProblem(spec) ??
    (isUnsafe
      ? [
          'callback',
          'must have a secret of letters, digits, hyphens and underscores, or the header of a signature',
        ]
      : undefined)
  )
}

/**
 * Reads the carriers of SMS and calls from the setting `CARRIERS`.
 * @throws CannotStart naming the carrier, the line and the problem
 */
export function readCarriers(value: string, env: NodeJS.ProcessEnv): CarrierSpec[] {
  const { text: json, where } = read(value)
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1]
    const line = json.slice(0, at === undefined ? json.length : Number(at)).split('\n').length
    throw new CannotStart(`${where} is wrong: line ${line} is not JSON.`, { cause: error })
  }
  if (!Array.isArray(parsed) || parsed.length === 0 || parsed.length > CARRIERS_MAX)
    throw new CannotStart(`${where} is wrong: must be a list of 1 to ${CARRIERS_MAX} carriers.`)
  const names = new Set<string>()
  return parsed.map((one: unknown, index) => {
    const refuse = (field: string | undefined, problem: string): never => {
      const name = (one as { name?: unknown } | null)?.name
      const who = typeof name === 'string' && name !== '' ? ` (${name})` : ''
      throw new CannotStart(
        `${where} is wrong: line ${lineOf(json, index, field?.split('.')[0])}, carrier ${index + 1}${who}: ${field ?? 'it'} ${problem}.`,
      )
    }
    const result = Carrier.safeParse(
      filledIn(one, env, (name) =>
        refuse(undefined, `names the environment variable ${name}, which is not set`),
      ),
    )
    if (!result.success) {
      const [issue] = result.error.issues
      const field = issue!.path.map(String).join('.')
      const unknown = issue!.code === 'unrecognized_keys' ? issue.keys[0] : undefined
      return unknown === undefined
        ? refuse(field || undefined, SAID.test(issue!.message) ? issue!.message : 'is missing or wrong')
        : refuse(field === '' ? unknown : `${field}.${unknown}`, 'is not known')
    }
    const spec = result.data
    const problem = problemOf(spec)
    if (problem) return refuse(...problem)
    if (names.has(spec.name)) return refuse('name', 'is that of another carrier')
    names.add(spec.name)
    return spec.kind === 'twilio' && spec.baseUrl !== undefined
      ? { ...spec, baseUrl: withoutEnd(spec.baseUrl, (character) => character === '/') }
      : spec
  })
}
/** Messages of this file; those of the library are no sentences. */
const SAID = /^(must|is) /
