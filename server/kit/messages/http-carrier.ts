import { createHmac } from 'node:crypto'

import type { HttpSpec } from '../core/carrier-settings.ts'
import { SECOND } from '../core/clock.ts'
import type { Carrier, Outcome, Outgoing, Trouble } from './messages.ts'
import { atPath, fillJson, fillText } from './json-template.ts'

/** Path of what carriers over HTTP call. */
export const HTTP_CARRIER_PATH = '/carriers/http'

const PARALLEL = 10
/** Few, because after a crash a message in doubt may have to stay unsent. */
const TOGETHER = 20
const TIMEOUT_SECONDS = 30
const ANSWER_MAX = 64 * 1_024
const REASON_MAX = 300
const ID_MAX = 200

const ACCEPTED = [200, 201, 202]
const REFUSED = [400, 404, 422]
const NOT_ACCEPTED = [401, 402, 403, 408, 429]
/** Statuses that every message would get. */
const SERVES_NOBODY = [401, 402, 429, 503]
/** Errors before the request was written. */
const NEVER_SENT = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]

/** Part of an address by which a carrier's call about a message is known. */
export const callbackToken = (
  { name, callback }: Pick<HttpSpec, 'name' | 'callback'>,
  organisationId: string,
  messageId: string,
): string =>
  createHmac('sha256', callback?.secret ?? '')
    .update(`${name} ${organisationId} ${messageId}`)
    .digest('base64url')

interface Answer {
  readonly status: number
  /** Undefined where the answer is no JSON, or too long. */
  readonly json: unknown
}

/** Sends a request without following redirects, and reads a limited answer. */
async function request(
  { headers = {}, auth, timeoutSeconds = TIMEOUT_SECONDS }: HttpSpec,
  url: string,
  id: string,
  sent?: { readonly method: 'POST' | 'PUT'; readonly body: unknown },
): Promise<Answer> {
  // Loaded lazily, as by the other carrier.
  const { request: call } = await import('undici')
  const given = Object.entries(headers).map(([name, value]) => [name, fillText(value, { id })] as const)
  const answered = await call(url, {
    method: sent?.method ?? 'GET',
    headers: {
      Accept: 'application/json',
      ...(sent && { 'Content-Type': 'application/json' }),
      ...(auth && {
        Authorization: `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`,
      }),
      ...Object.fromEntries(given),
    },
    body: sent ? JSON.stringify(sent.body) : null,
    signal: AbortSignal.timeout(timeoutSeconds * SECOND),
  })
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answered.body) {
    length += (part as Buffer).length
    if (length > ANSWER_MAX) {
      answered.body.destroy()
      return { status: answered.statusCode, json: undefined }
    }
    parts.push(part as Buffer)
  }
  try {
    return { status: answered.statusCode, json: JSON.parse(Buffer.concat(parts).toString()) as unknown }
  } catch {
    return { status: answered.statusCode, json: undefined }
  }
}

/** The failure that an answer tells, with the provider's code and words. */
function failureOf({ name, answer }: HttpSpec, { status, json }: Answer) {
  const code = answer.code && atPath(json, answer.code)
  const said = answer.reason && atPath(json, answer.reason)?.slice(0, REASON_MAX)
  return {
    reason: said ? `${name}: ${said}` : `${name} answered ${status}.`,
    code: code ?? String(status),
  }
}

/** True where the answer says that a message was accepted, false where it says the opposite; undefined for neither. */
function isSuccess({ answer: { success } }: HttpSpec, json: unknown): boolean | undefined {
  if (!success) return true
  const said = atPath(json, success.path)
  return said === undefined ? undefined : success.values.map(String).includes(said)
}

/** The outcome of the answer to a new message. Without a clear answer it is unknown whether it was accepted. */
function outcomeOf(spec: HttpSpec, answered: Answer): Outcome {
  const { status, json } = answered
  const { accepted = ACCEPTED, refused = REFUSED, notAccepted = NOT_ACCEPTED, troubleCodes = [] } = spec
  const failure = failureOf(spec, answered)
  const trouble: Trouble = SERVES_NOBODY.includes(status) ? 'ALL' : 'ONE'
  // A provider may say in an answer of any status that the account is in trouble, or that it takes no such message.
  if (troubleCodes.map(String).includes(failure.code)) return { state: 'QUEUED', ...failure, trouble: 'ALL' }
  if (accepted.includes(status)) {
    const isAccepted = isSuccess(spec, json)
    if (isAccepted === false) return { state: 'FAILED', ...failure }
    const providerId = atPath(json, spec.answer.id)
    if (isAccepted && providerId !== undefined)
      return { state: 'SENT', providerId: providerId.slice(0, ID_MAX) }
  }
  if (notAccepted.includes(status)) return { state: 'QUEUED', ...failure, trouble }
  if (refused.includes(status)) return { state: 'FAILED', ...failure }
  return { state: 'SENDING', ...failure, trouble }
}

/** The outcome of a request that failed. */
function brokenOutcome({ name }: HttpSpec, error: unknown): Outcome {
  const { message, code = '' } = error as Error & { code?: string }
  const isSent = !NEVER_SENT.includes(code)
  // Only the code where there is one: a message may contain an address of the operator's network.
  const reason = `${name} cannot be reached: ${code || message}`
  return { state: isSent ? 'SENDING' : 'QUEUED', reason, trouble: isSent ? 'ONE' : 'ALL' }
}

/**
 * Hands messages to a provider by HTTP and JSON.
 * @param publicUrl address that the provider can call; null for none
 */
export function carrierOverHttp(spec: HttpSpec, publicUrl: string | null): Carrier {
  const { name, url, method = 'POST', body, lookup } = spec
  const callbackOf = ({ organisationId, id }: Outgoing): string =>
    publicUrl !== null && organisationId !== null && spec.callback?.report
      ? `${publicUrl}${HTTP_CARRIER_PATH}/${name}/${callbackToken(spec, organisationId, id)}/status/${organisationId}/${id}`
      : ''

  async function hand(message: Outgoing): Promise<Outcome> {
    const { id, recipient, text, sender, language } = message
    const values = {
      id,
      text,
      to: recipient,
      // A number of the organisation's own belongs to another account.
      from: spec.from ?? sender ?? '',
      callbackUrl: callbackOf(message),
      language: language ?? '',
    }
    const address = fillText(url, { id }, encodeURIComponent)
    return outcomeOf(spec, await request(spec, address, id, { method, body: fillJson(body, values) }))
  }

  /** The message at the provider after an attempt without an answer; undefined where it never arrived. */
  async function find({ id }: Outgoing): Promise<Outcome | undefined> {
    const answered = await request(spec, fillText(lookup!.url, { id }, encodeURIComponent), id)
    const { status, json } = answered
    if (status === 404) return undefined
    if (status !== 200 || json === undefined)
      return { state: 'SENDING', ...failureOf(spec, answered), trouble: 'ONE' }
    const providerId = atPath(json, lookup!.id)
    return providerId === undefined ? undefined : { state: 'SENT', providerId: providerId.slice(0, ID_MAX) }
  }

  const guarded = async <T>(work: () => Promise<T>): Promise<T | Outcome> => {
    try {
      return await work()
    } catch (error) {
      return brokenOutcome(spec, error)
    }
  }
  return {
    name,
    parallel: PARALLEL,
    together: TOGETHER,
    send: (message) => guarded(() => hand(message)),
    ...(lookup && {
      async find(message) {
        const found = await guarded(() => find(message))
        // The lookup that failed says nothing of the message.
        return found?.state === 'QUEUED' ? { ...found, state: 'SENDING' as const } : found
      },
    }),
  }
}
