import { createHmac } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { type Database, isUuid } from '../database/db.ts'
import type { Settings } from '../core/settings.ts'
import { Refusal } from '../core/refusal.ts'
import type { Attempts } from '../security/attempts.ts'
import { sameText } from '../security/secrets.ts'
import { TWILIO_PATH } from './callback-urls.ts'
import type { Post } from './mailer.ts'
import type { InboundSms } from './messages.ts'
import { reportOf, spokenReply, twimlOf } from './sms.ts'
import { twilioAccounts } from './telephone.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const XML_TYPE = 'text/xml; charset=utf-8'
/** The organisation and message in an address. */
interface Named {
  organisation: string
  message: string
}
const FORM_LIMIT = 64 * 1_024

/** Twilio's signature of a request: HMAC-SHA1 of the address and the sorted parameters. */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].toSorted((a, b) => (a < b ? -1 : 1))
  const said = names.map((name) => name + [...new Set(form.getAll(name))].toSorted().join(''))
  return createHmac('sha1', authToken)
    .update(url + said.join(''))
    .digest('base64')
}

/** Hooks for replies by telephone. */
export interface TelephoneHooks {
  readonly reply: (reply: InboundSms) => Promise<void>
  /** Takes a key of a call. Null for an unknown call. */
  readonly key: (organisationId: string, messageId: string, key: string) => Promise<SpokenReply | null>
}
/** Spoken reply to a key. */
export interface SpokenReply {
  readonly text: string
  readonly language: string | null
  /** True where another key is waited for. */
  readonly isAgain: boolean
}

export interface CallbackParts {
  readonly settings: Pick<Settings, 'twilio' | 'carriers'>
  readonly publicUrl: () => string
  readonly attempts: Pick<Attempts, 'takeWrongLink'>
  readonly database: Pick<Database, 'directory'>
  readonly post: Pick<Post, 'confirm'>
}

/**
 * `/carriers/twilio/…`: what Twilio reports of messages. Public, and answered only to Twilio's own signature: 403
 * otherwise, and 429 for many forged requests from an address.
 */
export function registerTwilio(app: FastifyInstance, parts: CallbackParts, hooks: TelephoneHooks): void {
  const accounts = twilioAccounts(parts.settings)
  if (accounts.length === 0) return
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.addHook('preHandler', async (request) => {
      if (!signerOf(parts, accounts, request)) await refuseForged(parts, request)
    })
    const nameOf = (request: FastifyRequest) => signerOf(parts, accounts, request)!.name
    scope.post<{ Params: Named }>(`${TWILIO_PATH}/status/:organisation/:message`, (request, reply) =>
      takeStatus(parts, nameOf(request), request, reply),
    )
    scope.post<{ Params: Named }>(`${TWILIO_PATH}/keys/:organisation/:message`, async (request, reply) =>
      reply.type(XML_TYPE).send(await spokenTo(parts, hooks, request)),
    )
    scope.post(`${TWILIO_PATH}/sms`, async (request, reply) => {
      const form = formOf(request)
      const [providerId, from, to] = ['MessageSid', 'From', 'To'].map((name) => form.get(name))
      if (providerId && from && to)
        await hooks.reply({ carrier: nameOf(request), providerId, from, to, text: form.get('Body') ?? '' })
      // No words of ours go back.
      return reply.type(XML_TYPE).send('<?xml version="1.0" encoding="UTF-8"?><Response/>')
    })
  })
}

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** The account that has signed a request; undefined for none. */
function signerOf(
  { publicUrl }: Pick<CallbackParts, 'publicUrl'>,
  accounts: ReturnType<typeof twilioAccounts>,
  request: FastifyRequest,
) {
  const given = request.headers['x-twilio-signature']
  if (typeof given !== 'string') return undefined
  // Behind a proxy the address that Twilio has called is known by the setting only.
  const url = publicUrl() + request.url
  return accounts.find(({ authToken }) => sameText(given, twilioSignature(authToken, url, formOf(request))))
}
/** @throws Refusal 403, and 429 for many from an address */
export async function refuseForged(
  { attempts, database }: Pick<CallbackParts, 'attempts' | 'database'>,
  request: FastifyRequest,
): Promise<never> {
  const tooMany = await attempts.takeWrongLink(database.directory, request.ip)
  if (tooMany) throw tooMany
  request.log.warn({ ip: request.ip }, 'request with a wrong signature of a carrier')
  throw new Refusal(403, 'The signature is wrong.')
}

/** The instructions of a call after a key. */
async function spokenTo(
  { publicUrl }: CallbackParts,
  { key }: TelephoneHooks,
  request: FastifyRequest<{ Params: Named }>,
): Promise<string> {
  const { organisation, message } = request.params
  const isKnown = isUuid(organisation) && isUuid(message)
  const reply = isKnown ? await key(organisation, message, formOf(request).get('Digits') ?? '') : null
  if (!reply) return spokenReply('', null)
  const { text, language, isAgain } = reply
  return isAgain
    ? twimlOf(text, { language, keysTo: publicUrl() + request.url })
    : spokenReply(text, language)
}

async function takeStatus(
  { post }: CallbackParts,
  carrier: string,
  request: FastifyRequest<{ Params: Named }>,
  reply: FastifyReply,
) {
  const { organisation, message } = request.params
  const form = formOf(request)
  const sid = form.get('MessageSid') ?? form.get('CallSid')
  const state = form.get('MessageStatus') ?? form.get('CallStatus')
  const report = state === null ? null : reportOf(state, form.get('ErrorCode'))
  if (report && sid !== null && isUuid(organisation) && isUuid(message))
    await post.confirm(organisation, [{ ...report, messageId: message, carrier, providerId: sid }])
  return reply.status(204).send()
}
