import { createHmac } from 'node:crypto'
import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

import type { Agent } from 'undici'

import { cut } from '#contract/kit/cut.ts'
import { clock, SECOND } from '#server/kit/core/clock.ts'
import { isLoopback, isPublicAddress } from '#server/kit/core/hosts.ts'
import { isBehindProxy, type Settings } from '#server/kit/core/settings.ts'

import type { Attempt } from './store.ts'

/** Time for connecting, sending and the answer together. */
const TIMEOUT = 10 * SECOND
const ANSWER_BYTES = 1_024
const NOT_PUBLIC = 'NOT_PUBLIC'

export const PRIVATE_ADDRESS =
  'This address belongs to this machine or a private network. Please use one that the internet reaches.'
export const HTTPS_ONLY = 'Please use an address that begins with https://.'

type Reach = Pick<Settings, 'host' | 'publicUrl' | 'trustProxy'>
/** True for an installation that only this machine reaches, such as one for trials: it may call this machine. */
export const mayCallLoopback = (settings: Reach): boolean =>
  isLoopback(settings.host) && !isBehindProxy(settings)

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** The reason why an address may not be called, as far as it can be known without resolving it; undefined otherwise. */
export function refusedUrl(url: string, settings: Reach): string | undefined {
  const host = hostOf(url)
  const isOwn = isLoopback(host)
  if (isOwn) return mayCallLoopback(settings) ? undefined : PRIVATE_ADDRESS
  if (new URL(url).protocol !== 'https:') return HTTPS_ONLY
  return isIP(host) !== 0 && !isPublicAddress(host) ? PRIVATE_ADDRESS : undefined
}

/**
 * Resolves a name for a connection and refuses it where any of its addresses is not public. The connection uses exactly
 * these addresses, so that a changed answer of the DNS between a check and the call cannot lead elsewhere.
 */
export const guardedLookup =
  (settings: Reach, resolve: typeof lookUp = lookUp): LookupFunction =>
  (hostname, options, done) => {
    const isAllowed = (address: string) =>
      isLoopback(hostname) ? mayCallLoopback(settings) && isLoopback(address) : isPublicAddress(address)
    const wanted: LookupOptions & { all: true } = { ...options, all: true }
    resolve(hostname, wanted, (error, addresses: LookupAddress[]) => {
      if (error) return done(error, '')
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
        return done(Object.assign(new Error(PRIVATE_ADDRESS), { code: NOT_PUBLIC }), '')
      const [first] = addresses
      return options.all ? done(null, addresses) : done(null, first!.address, first!.family)
    })
  }

/** The signature of a body, as `docs/webhooks.md` describes it. */
export function signatureOf(secret: string, body: string): string {
  const time = Math.floor(clock.now() / SECOND)
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${digest}`
}

export interface Sending {
  readonly url: string
  readonly secret: string
  /** Id of the delivery, the same at each attempt. */
  readonly id: string
  readonly body: string
}
/** The outcome of an attempt. */
export interface Outcome extends Attempt {
  /** True where the endpoint answers nothing at the moment, so that its other deliveries wait, too. */
  readonly isDown: boolean
}

const REDIRECTS =
  'It answered with a redirect, which is not followed. Please enter the address that it leads to.'
const ANSWERS_NOTHING = [408, 425, 429, 502, 503, 504]
const SENTENCES: { readonly [code: string]: string } = {
  [NOT_PUBLIC]: PRIVATE_ADDRESS,
  ENOTFOUND: 'The name of the address is not known.',
  EAI_AGAIN: 'The name of the address could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was broken off.',
  UND_ERR_SOCKET: 'The connection was broken off.',
  UND_ERR_CONNECT_TIMEOUT: 'It did not answer within 10 seconds.',
  TimeoutError: 'It did not answer within 10 seconds.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not trusted.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}
/** A failure in a sentence, without addresses of the operator's network. */
function sentenceOf(error: unknown): string {
  const { code, name, cause } = error as Error & { code?: unknown; cause?: { code?: unknown } }
  const known = [code, cause?.code, name].find(
    (one): one is string => typeof one === 'string' && Object.hasOwn(SENTENCES, one),
  )
  if (known !== undefined) return SENTENCES[known]!
  return typeof code === 'string' ? `It cannot be reached: ${cut(code, 60)}.` : 'It cannot be reached.'
}

/** The beginning of an answer, as text that can be stored. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length >= ANSWER_BYTES) break
  }
  body.destroy()
  const text = Buffer.concat(parts).subarray(0, ANSWER_BYTES).toString('utf8')
  return text.replace(/[^\P{Cc}\n\t]+/gu, ' ').trim()
}

/** Sends deliveries, without following redirects and without private addresses. */
export interface Requests {
  send(sending: Sending, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}
export function makeRequests(settings: Reach): Requests {
  let agent: Agent | undefined
  async function connected() {
    // Loaded with the first delivery, as by the carriers.
    const { Agent, request } = await import('undici')
    agent ??= new Agent({ connect: { lookup: guardedLookup(settings), timeout: TIMEOUT }, pipelining: 0 })
    return { request, dispatcher: agent }
  }
  async function attempt({ url, secret, id, body }: Sending, signal: AbortSignal): Promise<Outcome> {
    const { request, dispatcher } = await connected()
    const { statusCode: status, body: answered } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Muster',
        'X-Muster-Delivery': id,
        'X-Muster-Signature': signatureOf(secret, body),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    })
    const isTaken = status >= 200 && status < 300
    // A broken answer after the status changes nothing: the endpoint has taken the delivery or not.
    const answer = (await beginningOf(answered).catch(() => '')) || null
    const isRedirect = status >= 300 && status < 400
    const problem = isTaken ? null : isRedirect ? REDIRECTS : `It answered ${status}.`
    return { status, problem, answer, isDown: ANSWERS_NOTHING.includes(status) }
  }
  return {
    async send(sending, signal) {
      const problem = refusedUrl(sending.url, settings)
      if (problem !== undefined) return { status: null, problem, answer: null, isDown: true }
      try {
        return await attempt(sending, signal)
      } catch (error) {
        return { status: null, problem: sentenceOf(error), answer: null, isDown: true }
      }
    },
    close: async () => agent?.destroy(),
  }
}
