import { createHmac } from 'node:crypto'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'

import { configOf } from '#contract/config/catalogue.ts'
import {
  AlertmanagerCall,
  CALL_LIMIT,
  type CallAnswer,
  JsonCall,
  SIGNATURE_SECONDS,
} from '#contract/declaration-calls/schema.ts'
import { severityOf } from '#contract/declarations/rules.ts'
import { DECLARE_PATH } from '#contract/declarations/schema.ts'
import { MULTIPLE_NOT_ENABLED, NewIncident, SEVERITIES, type Severity } from '#contract/incidents/schema.ts'
import { cut } from '#contract/kit/cut.ts'
import { permissionsOfKey } from '#contract/users/rules.ts'
import { addActivity } from '#server/incidents/activities.flows.ts'
import { createIncident } from '#server/incidents/flows.ts'
import { clock, SECOND } from '#server/kit/core/clock.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { escaped } from '#server/kit/messages/email-messages.ts'
import { sameText } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { ORGANISATION_COLUMNS } from '#server/sessions/store.ts'

import { hashOf, linesOf, severityOfAlerts, stateOf, titleOf, withoutDoubles } from './alerts.content.ts'
import { organisationOfAddress, secretOwner } from './sources.flows.ts'
import {
  addState,
  type CallingSource,
  findDeclared,
  insertCall,
  insertDeclaration,
  sourceLookup,
} from './store.ts'

type Parts = Pick<Services, 'database' | 'attempts' | 'secrets' | 'chat' | 'jobs'>

const NOT_KNOWN = 'The source or the signature is not known.'
const SENTENCE_MAX = 500

/** True for a call that the source has signed within the last five minutes; Alertmanager may send the secret instead. */
function isProven(
  secret: string,
  form: CallingSource['form'],
  { headers }: FastifyRequest,
  body: Buffer,
): boolean {
  const bearer = /^Bearer (\S{1,200})$/.exec(headers.authorization ?? '')?.[1]
  if (form === 'ALERTMANAGER' && bearer !== undefined) return sameText(bearer, secret)
  const signature = headers['x-muster-signature']
  const [, time, given] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(signature ?? '')) ?? []
  if (time === undefined || given === undefined) return false
  const digest = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  const isNow = Math.abs(clock.now() / SECOND - Number(time)) <= SIGNATURE_SECONDS
  return sameText(given, digest) && isNow
}

/** A source as the actor: like an API key, whose only right is to work with incidents. */
const actingOf = ({ id, name, config, globalConfig }: CallingSource): Acting => {
  const whole = configOf(config, globalConfig ?? {})
  return {
    kind: 'key',
    id,
    name,
    role: 'ADMIN',
    type: 'INTERNAL',
    permissions: permissionsOfKey(whole).filter((one) => one === 'incidents-full-access'),
    config: whole,
  }
}

/** @throws Refusal 400 for another body than JSON, or with the first problem */
function parsed<S extends z.ZodMiniType>(schema: S, body: Buffer): z.output<S> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
  return checked(schema, json)
}
/** @throws Refusal 400 with the first problem */
function checked<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = cut((issue?.path ?? []).join('.'), 100)
  throw new Refusal(400, `${path === '' ? '' : `${path}: `}${issue?.message ?? 'This is not valid.'}`)
}

const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p>${escaped(line)}</p>`).join('')

/** Context of a taken call. */
interface Taking {
  readonly parts: Parts
  readonly db: OrgDb
  readonly source: CallingSource
  readonly by: Acting
}
interface Outcome extends CallAnswer {
  readonly sentence: string
}
interface Wanted {
  readonly title: string
  readonly fullText: string
  readonly severity: Severity
  readonly isTabletop: boolean
}

/** Declares the incident of a key. @throws Refusal 409 where another one is active and only one may be */
async function declare(
  { parts, db, source, by }: Taking,
  { key, state }: { readonly key: string; readonly state: string },
  wanted: Wanted,
): Promise<Outcome> {
  const given = checked(NewIncident, wanted)
  const { incident } = await createIncident(parts, db, by, given).catch((error: unknown) => {
    if (error instanceof Refusal && error.message === MULTIPLE_NOT_ENABLED)
      throw new Refusal(409, MULTIPLE_NOT_ENABLED)
    throw error
  })
  await insertDeclaration(
    db,
    { sourceId: source.id, key, incidentId: incident.id, at: clock.timestamp() },
    state,
  )
  const sentence = `Declared the ${incident.isTabletop ? 'exercise' : 'incident'}.`
  return { result: 'DECLARED', incidentId: incident.id, sentence }
}

/** Waits for a concurrent call about the same key. */
async function heldKey({ db, source }: Taking, own: string): Promise<string> {
  const key = hashOf(own)
  await lockFor(db, `declaration ${source.id} ${key}`)
  return key
}

const isSeverity = (word: string): word is Severity => (SEVERITIES as readonly string[]).includes(word)

async function takeJson(taking: Taking, body: Buffer): Promise<Outcome> {
  const { source, db } = taking
  const { id, title, text, severity, isTabletop = false } = parsed(JsonCall, body)
  const key = await heldKey(taking, id)
  const declared = await findDeclared(db, source.id, key, '')
  if (declared)
    return { result: 'UNCHANGED', incidentId: declared.incidentId, sentence: 'This id was declared before.' }
  return declare(
    taking,
    { key, state: '' },
    {
      title,
      fullText: paragraphs(text.split(/\r?\n/).filter((line) => line.trim() !== '')),
      severity: severity !== undefined && isSeverity(severity) ? severity : severityOf(source, severity),
      // A source of exercises declares nothing else.
      isTabletop: source.isTabletop || isTabletop,
    },
  )
}

async function takeAlerts(taking: Taking, body: Buffer): Promise<Outcome> {
  const { source, db, by } = taking
  const call = withoutDoubles(parsed(AlertmanagerCall, body))
  const key = await heldKey(taking, call.groupKey)
  const state = stateOf(call)
  const declared = await findDeclared(db, source.id, key, state)
  if (declared?.isKnown)
    return { result: 'UNCHANGED', incidentId: declared.incidentId, sentence: 'This state was taken before.' }
  const isFiring = call.status === 'firing'
  if (!declared?.isActive && !isFiring)
    return {
      result: 'UNCHANGED',
      incidentId: declared?.incidentId ?? null,
      sentence: 'No active incident was declared for this group of alerts.',
    }
  const lines = linesOf(call)
  if (!declared?.isActive)
    return declare(
      taking,
      { key, state },
      {
        title: titleOf(call),
        fullText: paragraphs([`Declared by ${source.name}.`, ...lines]),
        severity: severityOfAlerts(source, call),
        isTabletop: source.isTabletop,
      },
    )
  const title = isFiring ? 'Firing again' : 'Resolved by the monitoring'
  const description = `${title}: ${titleOf(call)}\n${lines.join('\n')}`
  await addActivity(db, by, declared.incidentId, { type: 'UPDATE', title: '', description })
  await addState(db, declared.id, state)
  return {
    result: 'UPDATED',
    incidentId: declared.incidentId,
    sentence: `Added an update: ${cut(title, SENTENCE_MAX)}.`,
  }
}

/** @throws Refusal 401, and 429 for many from an address; equal for an unknown source, a wrong signature and a wrong time */
async function refuseUnproven({ attempts, database }: Parts, request: FastifyRequest): Promise<never> {
  const tooMany = await attempts.takeWrongLink(database.directory, request.ip)
  if (tooMany) throw tooMany
  request.log.warn({ ip: request.ip }, 'call of a webhook with an unknown source or signature')
  throw new Refusal(401, NOT_KNOWN)
}

class Unproven extends Error {}

/** Takes a call, or keeps the sentence why it was refused. */
async function takeCall(parts: Parts, request: FastifyRequest, body: Buffer): Promise<Outcome> {
  const { id: addressId } = request.params as { id: string }
  const organisationId = organisationOfAddress(addressId)
  if (organisationId === null) return refuseUnproven(parts, request)
  const { database, secrets } = parts
  let source: CallingSource | undefined
  try {
    const opening = {
      organisationId,
      lookup: sourceLookup(addressId, ORGANISATION_COLUMNS),
      actor: (row: CallingSource | undefined) => {
        const isOwn =
          row && isProven(secrets.open(row.secret, secretOwner(addressId)), row.form, request, body)
        if (!isOwn) throw new Unproven()
        source = row
        return { kind: 'key', id: row.id, name: row.name } as const
      },
    }
    return await database.withOrganisation(opening, async (db, row: CallingSource) => {
      const taking = { parts, db, source: row, by: actingOf(row) }
      const outcome = await (row.form === 'ALERTMANAGER' ? takeAlerts : takeJson)(taking, body)
      const { result, sentence, incidentId } = outcome
      await insertCall(db, { sourceId: row.id, at: clock.timestamp(), result, sentence, incidentId })
      return outcome
    })
  } catch (error) {
    if (error instanceof Unproven) return refuseUnproven(parts, request)
    if (error instanceof Refusal && source) await keepRefusal(parts, organisationId, source.id, error)
    throw error
  }
}

const SYSTEM = { kind: 'system', id: null, name: 'webhooks' } as const
const keepRefusal = ({ database }: Parts, organisationId: string, sourceId: string, { message }: Refusal) =>
  database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) =>
    insertCall(db, {
      sourceId,
      at: clock.timestamp(),
      result: 'REFUSED',
      sentence: cut(message, SENTENCE_MAX),
      incidentId: null,
    }),
  )

/**
 * `/webhooks/declare/…`: incidents that programs declare. Public; a call is known by its signature: 401 otherwise, the
 * same for all reasons, and 429 for many from an address.
 */
export function registerDeclarations(app: FastifyInstance, parts: Parts): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: CALL_LIMIT },
      (_request, body, done) => done(null, body),
    )
    scope.post(`${DECLARE_PATH}/:id`, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { result, incidentId } = await takeCall(parts, request, body)
      return reply.status(result === 'DECLARED' ? 201 : 200).send({ result, incidentId })
    })
  })
}
