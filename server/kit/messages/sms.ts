import { sql } from 'kysely'

import { suppressionOfCode } from '#contract/suppressions/rules.ts'

import { DAY, MINUTE, SECOND } from '../core/clock.ts'
import type { Twilio } from '../core/settings.ts'
import type { OrgDb } from '../database/db.ts'
import type { Callbacks } from './callback-urls.ts'
import type { Carrier, InboundSms, Inside, Outcome, Outgoing, Report, Trouble } from './messages.ts'
import { failureReason, reasonOfCode } from './twilio-reasons.ts'

/** A call or message in Twilio's replies; only the used fields. */
interface Resource {
  readonly sid: string
  readonly body?: string | null
  readonly from?: string
  readonly to?: string
  readonly direction?: string
  /** RFC 2822, to the second. */
  readonly date_created?: string | null
}
interface TwilioReply {
  readonly status?: string | number
  readonly error_code?: number | null
  readonly sid?: string
  readonly message?: string
  readonly code?: number
  readonly messages?: readonly Resource[]
  readonly calls?: readonly Resource[]
  readonly next_page_uri?: string | null
}

const NAME = 'Twilio'
const PARALLEL = 20
/** More than are sent concurrently, because messages in doubt after a crash can be looked up. */
const TOGETHER = 100
const TIMEOUT = 30 * SECOND
/** Tolerance between Twilio's clock and ours. */
const SKEW = 2 * MINUTE
const PAGES_MAX = 20
/** Maximum length of a call's instructions (TwiML). */
const TWIML_MAX = 4_000

const XML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
// Characters that XML forbids even when escaped.
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const inXml = (text: string): string =>
  text.replace(NOT_IN_XML, ' ').replace(/[&<>"']/g, (character) => XML[character]!)

/** A call's language, and where the key that is pressed goes; null without a question. */
export interface Spoken {
  readonly language?: string | null
  readonly keysTo?: string | null
}
const GATHER_SECONDS = 8
const say = (message: string, language: string | null): string =>
  `<Say${language === null ? '' : ` language="${inXml(language)}"`}>${inXml(message)}</Say>`
const twiml = (...verbs: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join('')}</Response>`

/**
 * The spoken text of a call: twice unless too long, because the first words of an unexpected call are easily missed. Of a
 * call with a question a key is taken at any time.
 */
export function twimlOf(message: string, { language = null, keysTo = null }: Spoken = {}): string {
  const said = say(message, language)
  const spoken = (...verbs: string[]) =>
    keysTo === null
      ? twiml(...verbs)
      : twiml(
          `<Gather input="dtmf" numDigits="1" timeout="${GATHER_SECONDS}" action="${inXml(keysTo)}" method="POST">`,
          ...verbs,
          '</Gather>',
        )
  const twice = spoken(said, '<Pause length="2"/>', said)
  return twice.length <= TWIML_MAX ? twice : spoken(said)
}
/** Spoken reply to a key. */
export const spokenReply = (message: string, language: string | null): string => twiml(say(message, language))

/** Assigns the first of Twilio's messages that no other message of ours has. */
async function adopt(db: OrgDb, { id, recipient, create_timestamp }: Outgoing, sids: readonly string[]) {
  await sql`select pg_advisory_xact_lock(hashtextextended('messages to ' || ${recipient}::text, 0))`.execute(
    db,
  )
  const since = new Date(Date.parse(create_timestamp) - DAY).toISOString()
  const { rows } = await sql<{ provider_id: string }>`select provider_id from messages
    where create_timestamp >= ${since} and provider_id = any(${sids}::text[]) and id <> ${id}`.execute(db)
  const taken = new Set(rows.map(({ provider_id }) => provider_id))
  const sid = sids.find((one) => !taken.has(one))
  if (sid !== undefined)
    await db.updateTable('messages').set({ provider_id: sid }).where('id', '=', id).execute()
  return sid
}

function reasonOf({ status, answer: { message, code } }: TwilioResponse): string {
  if (message === undefined) return `Twilio answered ${status}.`
  if (code === undefined) return `Twilio: ${message}`
  const plain = reasonOfCode(code)
  return plain === undefined ? `Twilio: ${message} (${code})` : `${plain} (Twilio ${code})`
}

interface TwilioResponse {
  readonly status: number
  readonly answer: TwilioReply
}

/** Errors before the request reached Twilio. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** Statuses of the carrier's own trouble that concern every message: refused sign-in, or too busy. */
const SERVES_NOBODY = [401, 429, 503]
const troubleOf = (status: number): Trouble => (SERVES_NOBODY.includes(status) ? 'ALL' : 'ONE')
/** Statuses of the carrier's own trouble with which it has certainly not accepted the message. */
const NOT_ACCEPTED = [401, 403, 408, 429]

/**
 * The outcome of Twilio's response to a new message. After a server error it is unknown whether the message was
 * accepted.
 */
function outcomeOf(answered: TwilioResponse): Outcome {
  const { status, answer } = answered
  if (status < 300 && answer.sid !== undefined) return { state: 'SENT', providerId: answer.sid }
  const failure = {
    reason: reasonOf(answered),
    ...(answer.code !== undefined && { code: String(answer.code) }),
  }
  const trouble = troubleOf(status)
  if (NOT_ACCEPTED.includes(status)) return { state: 'QUEUED', ...failure, trouble }
  if (status < 400 || status >= 500) return { state: 'SENDING', ...failure, trouble }
  return { state: 'FAILED', ...failure, suppression: suppressionOfCode(answer.code) }
}

const DELIVERED = ['delivered', 'read', 'completed']
const FAILED = ['undelivered', 'failed', 'busy', 'no-answer', 'canceled']
/** Final report that a state of Twilio's means; null for one on the way. A call that was answered is delivered. */
export function reportOf(state: string, errorCode: string | number | null | undefined): Report | null {
  if (DELIVERED.includes(state)) return { state: 'DELIVERED', code: null, reason: null }
  if (!FAILED.includes(state)) return null
  const code = /^\d{1,9}$/.test(String(errorCode ?? '')) ? Number(errorCode) : null
  return {
    state: 'FAILED',
    code: code === null ? null : String(code),
    reason: failureReason(state, code),
    suppression: suppressionOfCode(code),
  }
}

type Request = (path: string, body?: URLSearchParams) => Promise<TwilioResponse>
const accountPath = (accountSid: string) => `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
/** Sends requests to Twilio: `POST` with a body, otherwise `GET`. */
function requestTo({ accountSid, authToken, baseUrl }: Omit<Twilio, 'from'>): Request {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`

  return async (path, body) => {
    // Loaded lazily. The implementation of `fetch`, at less than half its cost.
    const { request: call } = await import('undici')
    const { statusCode: status, body: answered } = await call(baseUrl + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: authorization,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body: body ? String(body) : null,
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const text = await answered.text()
    try {
      return { status, answer: JSON.parse(text) as TwilioReply }
    } catch {
      return { status, answer: {} }
    }
  }
}

/** SMS to a number of ours since a time, oldest first. */
async function listInbound(
  request: Request,
  account: string,
  to: string,
  since: number,
): Promise<InboundSms[]> {
  const day = new Date(since).toISOString().slice(0, 10)
  const query = new URLSearchParams({ To: to, 'DateSent>': day, PageSize: '100' })
  let path: string | null | undefined = `${account}/Messages.json?${query}`
  const found: InboundSms[] = []
  for (let page = 0; path && page < PAGES_MAX; page += 1) {
    const answered = await request(path)
    if (answered.status !== 200) throw new Error(reasonOf(answered))
    const listed = answered.answer.messages ?? []
    const recent = listed.filter(({ date_created }) => !(Date.parse(date_created ?? '') < since))
    for (const { sid: providerId, from, body, direction } of recent)
      if (direction === 'inbound' && from !== undefined)
        found.push({ carrier: NAME, providerId, from, to, text: body ?? '' })
    path = recent.length < listed.length ? null : answered.answer.next_page_uri
  }
  // Newest first.
  return found.toReversed()
}

/**
 * Hands SMS and voice calls to Twilio. Twilio has no idempotency keys, so a message without a reply is looked up before
 * it is sent again: by number and text, among Twilio's messages that belong to no other message of ours.
 */
export function carrierOfTexts(
  { accountSid, authToken, from: ours, baseUrl, name = NAME }: Twilio & { readonly name?: string },
  callbacks: Callbacks | null = null,
): Carrier {
  const request = requestTo({ accountSid, authToken, baseUrl })
  const account = accountPath(accountSid)

  const kindOf = ({ channel }: Pick<Outgoing, 'channel'>) => (channel === 'SMS' ? 'Messages' : 'Calls')

  /** The message's state at Twilio after an earlier attempt; undefined when it never arrived. */
  async function find(message: Outgoing, inside: Inside): Promise<Outcome | undefined> {
    const { recipient, text, create_timestamp, channel, sender } = message
    const since = Math.floor((Date.parse(create_timestamp) - SKEW) / SECOND) * SECOND
    const query = new URLSearchParams({ To: recipient, From: sender ?? ours, PageSize: '100' })
    let path: string | null | undefined = `${account}/${kindOf(message)}.json?${query}`
    const sids: string[] = []
    for (let page = 0; path && page < PAGES_MAX; page += 1) {
      const answered = await request(path)
      if (answered.status !== 200)
        return { state: 'SENDING', reason: reasonOf(answered), trouble: troubleOf(answered.status) }
      const { messages, calls, next_page_uri } = answered.answer
      const listed = messages ?? calls ?? []
      const recent = listed.filter(({ date_created }) => !(Date.parse(date_created ?? '') < since))
      // A trial account prepends a line to the text. Twilio does not return the text of a call.
      const same = recent.filter(({ body }) => channel !== 'SMS' || body?.endsWith(text))
      sids.push(...same.map(({ sid }) => sid))
      // Newest first, so older pages need no look.
      path = recent.length < listed.length ? null : next_page_uri
    }
    const sid = sids.length === 0 ? undefined : await inside((db) => adopt(db, message, sids))
    return sid === undefined ? undefined : { state: 'SENT', providerId: sid }
  }

  async function hand(message: Outgoing): Promise<Outcome> {
    const { recipient, text, channel, sender, language, keys, organisationId, id } = message
    const isCalled = callbacks !== null && organisationId !== null
    const keysTo = isCalled && keys !== null ? callbacks.keys(organisationId, id) : null
    const body = new URLSearchParams({
      To: recipient,
      From: sender ?? ours,
      ...(channel === 'SMS' ? { Body: text } : { Twiml: twimlOf(text, { language, keysTo }) }),
      ...(isCalled && { StatusCallback: callbacks.status(organisationId, id) }),
    })
    return outcomeOf(await request(`${account}/${kindOf(message)}.json`, body))
  }

  const brokenOutcome = (error: unknown, isNew: boolean): Outcome => {
    const { message: said, code = '' } = error as Error & { code?: string }
    const neverSent = NEVER_SENT.includes(code)
    const state = neverSent && isNew ? 'QUEUED' : 'SENDING'
    // Only the code where there is one: a message may contain an address of the operator's network.
    const reason = `Twilio cannot be reached: ${code || said}`
    return { state, reason, trouble: neverSent ? 'ALL' : 'ONE' }
  }
  return {
    name,
    async listInbound(to, since) {
      const found = await listInbound(request, account, to, since)
      return found.map((one) => ({ ...one, carrier: name }))
    },
    async find(message, inside) {
      try {
        return await find(message, inside)
      } catch (error) {
        return brokenOutcome(error, false)
      }
    },
    parallel: PARALLEL,
    together: TOGETHER,
    async ask(channel, providerId) {
      const { status, answer } = await request(
        `${account}/${kindOf({ channel })}/${encodeURIComponent(providerId)}.json`,
      )
      if (status !== 200) throw new Error(reasonOf({ status, answer }))
      return reportOf(String(answer.status), answer.error_code)
    },
    async send(message, inside) {
      try {
        return (message.again ? await find(message, inside) : undefined) ?? (await hand(message))
      } catch (error) {
        return brokenOutcome(error, !message.again)
      }
    },
  }
}
