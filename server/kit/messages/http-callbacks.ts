import { createHmac } from 'node:crypto'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { HttpSpec } from '../core/carrier-settings.ts'
import type { Settings } from '../core/settings.ts'
import { isUuid } from '../database/db.ts'
import { sameText } from '../security/secrets.ts'
import { callbackToken, HTTP_CARRIER_PATH } from './http-carrier.ts'
import { atPath } from './json-template.ts'
import { type CallbackParts, refuseForged, type TelephoneHooks } from './twilio-callbacks.ts'

const BODY_LIMIT = 64 * 1_024
const ID_MAX = 200
const CODE_MAX = 40
/** Part of the address of a carrier that signs its calls. */
const SIGNED = 'signed'

interface Called {
  carrier: string
  token: string
}
interface CalledAbout extends Called {
  organisation: string
  message: string
}
export interface HttpCallbackParts extends Omit<CallbackParts, 'settings' | 'publicUrl'> {
  readonly settings: Pick<Settings, 'carriers'>
}

/** True for the HMAC-SHA256 of the body in the carrier's header, in hexadecimal or base64. */
function isSigned({ callback }: HttpSpec, request: FastifyRequest, body: Buffer): boolean {
  const { secret, header } = callback!
  const given = header === undefined ? undefined : request.headers[header.toLowerCase()]
  if (typeof given !== 'string') return false
  const digest = createHmac('sha256', secret).update(body).digest()
  const value = given.replace(/^sha256=/, '')
  return sameText(value.toLowerCase(), digest.toString('hex')) || sameText(value, digest.toString('base64'))
}

/** The JSON of a request, of a form too; undefined for neither. */
function jsonOf(request: FastifyRequest): unknown {
  const { body } = request
  if (!Buffer.isBuffer(body)) return undefined
  const text = body.toString()
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * `/carriers/http/…`: what carriers over HTTP report and receive. Public; a call is known by the secret in its address,
 * or by the signature of its body: 403 otherwise, and 429 for many forged requests from an address.
 */
export function registerHttpCarriers(
  app: FastifyInstance,
  parts: HttpCallbackParts,
  { reply: take }: Pick<TelephoneHooks, 'reply'>,
): void {
  const specs = (parts.settings.carriers ?? []).filter((spec) => spec.kind === 'http')
  const called = new Map(specs.filter(({ callback }) => callback).map((spec) => [spec.name, spec]))
  if (called.size === 0) return

  /** The carrier of a call that is its own. */
  async function carrierOf(request: FastifyRequest, token: string): Promise<HttpSpec> {
    const { carrier, token: given } = request.params as Called
    const spec = called.get(carrier)
    if (!spec) return refuseForged(parts, request)
    const needsSignature = spec.callback!.header !== undefined
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const isOwn = sameText(given, token) && (!needsSignature || isSigned(spec, request, body))
    return isOwn ? spec : refuseForged(parts, request)
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<{ Params: CalledAbout }>(
      `${HTTP_CARRIER_PATH}/:carrier/:token/status/:organisation/:message`,
      async (request, reply) => {
        const { carrier, organisation, message } = request.params
        const known = called.get(carrier)
        // The token is made of the whole address, so that a signed body counts for its own message only.
        const spec = await carrierOf(request, known ? callbackToken(known, organisation, message) : '')
        const report = reportOf(spec, jsonOf(request))
        if (report && isUuid(organisation) && isUuid(message))
          await parts.post.confirm(organisation, [{ ...report, messageId: message, carrier: spec.name }])
        return reply.status(204).send()
      },
    )
    scope.post<{ Params: Called }>(`${HTTP_CARRIER_PATH}/:carrier/:token/sms`, async (request, reply) => {
      const { callback } = called.get(request.params.carrier) ?? {}
      const spec = await carrierOf(
        request,
        callback?.header === undefined ? (callback?.secret ?? '') : SIGNED,
      )
      const json = jsonOf(request)
      const paths = spec.callback?.inbound
      const [providerId, from, to, text = ''] = paths
        ? [paths.id, paths.from, paths.to, paths.text].map((path) => atPath(json, path))
        : []
      if (providerId && from && to)
        await take({
          carrier: spec.name,
          providerId: providerId.slice(0, ID_MAX),
          from: withPlus(from),
          to: withPlus(to),
          text,
        })
      return reply.status(204).send()
    })
  })
}

/** Providers leave out the plus sign of a number. Short codes and names stay. */
const withPlus = (number: string): string =>
  /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number.slice(0, ID_MAX)

/** Final report in a carrier's words; null for one on the way, and for nonsense. */
function reportOf({ name, callback }: HttpSpec, json: unknown) {
  const { report } = callback!
  if (!report) return null
  const [providerId, said, code] = [report.id, report.state, report.code].map((path) =>
    path === undefined ? undefined : atPath(json, path),
  )
  if (providerId === undefined || said === undefined || !Object.hasOwn(report.states, said)) return null
  const state = report.states[said]!
  const about = code === undefined ? said : `${said}, ${code}`
  return {
    state,
    providerId: providerId.slice(0, ID_MAX),
    code: state === 'FAILED' && code !== undefined ? code.slice(0, CODE_MAX) : null,
    reason:
      state === 'FAILED' ? `The network did not deliver it. (${name}: ${about.slice(0, ID_MAX)})` : null,
  }
}
