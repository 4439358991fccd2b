import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { configOf } from '#contract/config/catalogue.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import type { UserRole, UserType } from '#contract/users/schema.ts'
import { listHeldClocks } from '#server/duties/store.ts'
import { listFollowUps } from '#server/follow-ups/store.ts'
import { nextUpdatesOf } from '#server/incident-roles/rhythm.flows.ts'
import { listTasks } from '#server/incidents/tasks.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { openToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { type CredentialOrganisation, ORGANISATION_COLUMNS } from '#server/sessions/store.ts'

import { type Due, icsOf } from './calendar.content.ts'
import { CALENDAR_PATH, CALENDAR_TOKEN } from './flows.ts'
import { feedLookup } from './store.ts'

/** Due times of one kind in a calendar, the next ones. */
const SHOWN = 200
const GONE = 'There is no such calendar. Please make a new address on the page “My tasks”.'

/** The person of a calendar address. */
interface FeedReader extends CredentialOrganisation {
  readonly userId: string
  readonly email: string
  readonly role: UserRole
  readonly type: UserType
  readonly createTimestamp: string
}

/** The due times of a person: open tasks and follow-ups, clocks of duties, and next updates that they give. */
async function dueTimesOf(db: OrgDb, { userId, config, globalConfig }: FeedReader): Promise<Due[]> {
  const page = { page: 0, size: SHOWN }
  const tasks = await listTasks(db, { id: userId }, { list: 'MINE', ...page, mayEdit: false })
  const followUps = await listFollowUps(db, userId, { list: 'MINE', ...page, now: clock.timestamp() })
  const clocks = await listHeldClocks(db, userId, SHOWN)
  const updates = await nextUpdatesOf(db, userId, configOf(config, globalConfig ?? {}))
  return [
    ...tasks.data.flatMap(({ dueTimestamp, ...task }) =>
      dueTimestamp === null ? [] : [{ kind: 'task', at: dueTimestamp, ...task } as const],
    ),
    ...followUps.data.map(({ dueTimestamp: at, ...one }) => ({ kind: 'follow-up', at, ...one }) as const),
    ...clocks.map(
      ({ dueTimestamp: at, name: title, ...one }) => ({ kind: 'duty', at, title, ...one }) as const,
    ),
    ...updates.map((one) => ({ kind: 'update', id: one.incidentId, title: null, ...one }) as const),
  ]
}

/** The calendar of an address; undefined for one that has ended, and for people who follow no incidents any more. */
async function calendarOf(
  { database, publicUrl }: Pick<Services, 'database' | 'publicUrl'>,
  file: string,
): Promise<string | undefined> {
  const opened = openToken(CALENDAR_TOKEN, file.replace(/\.ics$/, ''))
  if (!opened) return undefined
  const { organisationId, hash } = opened
  const actor = (reader: FeedReader | undefined) =>
    ({ kind: 'person', id: reader?.userId ?? null, name: reader?.email ?? '' }) as const
  return database.withOrganisation<string | undefined, FeedReader>(
    { organisationId, lookup: feedLookup(hash, ORGANISATION_COLUMNS), actor },
    async (db, reader) => {
      if (!reader || reader.type === 'EXTERNAL') return undefined
      const config = configOf(reader.config, reader.globalConfig ?? {})
      const permissions = permissionsOf(reader, config, reader.hasChildren)
      if (!permissions.some((one) => one === 'incidents-read-only' || one === 'incidents-full-access'))
        return undefined
      const { displayName, createTimestamp } = reader
      const dueTimes = await dueTimesOf(db, reader)
      return icsOf({ name: displayName, since: createTimestamp, url: publicUrl() }, dueTimes)
    },
  )
}

async function send(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const calendar = await calendarOf(services, (request.params as { file: string }).file)
  if (calendar === undefined) {
    const tooMany = await services.attempts.takeWrongLink(services.database.directory, request.ip)
    return reply
      .code(tooMany ? 429 : 404)
      .type('text/plain; charset=utf-8')
      .send(GONE)
  }
  const etag = `"${createHash('sha256').update(calendar).digest('base64url').slice(0, 32)}"`
  void reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('text/calendar; charset=utf-8').send(calendar)
}

/** `/calendar/<token>.ics`: a person's due times, for calendar programs, which do not sign in (decision 125). */
export function registerCalendar(app: FastifyInstance, services: Services): void {
  app.get(`${CALENDAR_PATH}/:file`, (request, reply) => send(services, request, reply))
}
