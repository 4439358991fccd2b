import { sql } from 'kysely'

import {
  DELIVERIES_KEPT,
  type DeliveryType,
  TEST_TYPE,
  Webhook,
  WEBHOOK_NAME_TAKEN,
  type WebhookDelivery,
} from '#contract/webhooks/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

import type { Incident, Person, StreamEvent, Task } from './payload.content.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    webhooks: ColumnsOf<Webhook> & {
      secret: Buffer
      event_sequence: number
      next_timestamp: string
      claim_timestamp: string
    }
    webhook_deliveries: {
      id: string
      webhook_id: string
      type: string
      body: string
      state: string
      attempts: number
      problem: string | null
      occurred_timestamp: string
      due_timestamp: string
      expire_timestamp: string
    }
  }
}

const matchesName = (search = '') => {
  const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`name ilike ${pattern}`
}

export const webhooks = plainNoun({
  noun: 'webhooks',
  table: 'webhooks',
  label: 'This webhook',
  schema: Webhook,
  fields: ['name', 'url', 'events', 'isOn'],
  also: ['secret', 'eventSequence', 'failures', 'offTimestamp', 'nextTimestamp'],
  name: 'name',
  nameTaken: WEBHOOK_NAME_TAKEN,
  orders: { name: sql`natural_key(name)`, createTimestamp: sql`create_timestamp` },
  sort: ['name', 'ASC'],
  matches: matchesName,
})

export async function countWebhooks(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from webhooks`.execute(db)
  return rows[0]!.total
}

/** The number of the newest event of the organisation. */
export async function findNewest(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`select sequence from event_heads`.execute(db)
  return rows[0]?.sequence ?? 0
}

/** Deliveries of all organisations that are kept, by state, and webhooks that failures switched off. */
export async function countDeliveries(
  db: ProviderDb,
): Promise<{ waiting: number; failed: number; switchedOff: number }> {
  const { rows } = await sql<Awaited<ReturnType<typeof countDeliveries>>>`
    select (select count(*) from webhook_deliveries where state = 'WAITING') as waiting,
      (select count(*) from webhook_deliveries where state = 'FAILED') as failed,
      (select count(*) from webhooks where off_timestamp is not null) as "switchedOff"`.execute(db)
  return rows[0]!
}

/** A webhook that this process sends for, until the end of its claim. */
export interface Claimed {
  readonly organisationId: string
  readonly id: string
}
/**
 * Claims webhooks with new events or due deliveries for this process.
 * @param until end of the claim, unless it is renewed
 */
export async function claimDue(
  db: ProviderDb,
  { now, until, limit }: { readonly now: string; readonly until: string; readonly limit: number },
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select w.id from webhooks w
        join organisations o on o.id = w.organisation_id and not o.is_closed
        join event_heads h on h.organisation_id = w.organisation_id
       where w.claim_timestamp <= ${now}
         and ((w.is_on and h.sequence > w.event_sequence)
           or (w.next_timestamp <= ${now} and exists (
             select from webhook_deliveries d
              where d.webhook_id = w.id and d.state = 'WAITING' and d.due_timestamp <= ${now})))
       order by w.claim_timestamp, w.id limit ${limit} for update of w skip locked)
    update webhooks w set claim_timestamp = ${until} from due where w.id = due.id
    returning w.organisation_id as "organisationId", w.id`.execute(db)
  return rows
}
export const releaseClaim = (db: OrgDb, id: string, now: string): Promise<unknown> =>
  sql`update webhooks set claim_timestamp = ${now} where id = ${id}`.execute(db)
/** Ends the claims of a process that has died. Only where there is no other process. */
export const releaseAll = (db: ProviderDb): Promise<unknown> =>
  sql`update webhooks set claim_timestamp = to_timestamp(0) where claim_timestamp > to_timestamp(0)`.execute(
    db,
  )
/** Organisations with a webhook that is on. */
export async function listReceiving(db: ProviderDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organisation_id as id from webhooks where is_on`.execute(db)
  return rows.map(({ id }) => id)
}

/** A webhook as it is sent for. */
export interface Sender {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly isOn: boolean
  readonly secret: Buffer
  readonly eventSequence: number
  readonly nextTimestamp: string
  readonly code: string
}
/** Renews the claim of a webhook and locks it; undefined for one that was deleted. */
export async function holdSender(db: OrgDb, id: string, until: string): Promise<Sender | undefined> {
  const { rows } = await sql<Sender>`
    update webhooks w set claim_timestamp = ${until} from organisations o
     where w.id = ${id} and o.id = w.organisation_id
    returning w.name, w.url, w.events, w.is_on as "isOn", w.secret, w.event_sequence as "eventSequence",
      w.next_timestamp as "nextTimestamp", o.code`.execute(db)
  return rows[0]
}
export const updateSequence = (db: OrgDb, id: string, sequence: number): Promise<unknown> =>
  sql`update webhooks set event_sequence = ${sequence} where id = ${id}`.execute(db)

/** Events between two numbers that may concern webhooks, in their order. */
export async function listEvents(
  db: OrgDb,
  {
    after,
    to,
    nouns,
    limit,
  }: {
    readonly after: number
    readonly to: number
    readonly nouns: readonly string[]
    readonly limit: number
  },
): Promise<StreamEvent[]> {
  const { rows } = await sql<StreamEvent>`
    select sequence, at, actor, noun, record, parent, verb, changes from events
     where sequence > ${after} and sequence <= ${to} and noun = any(${nouns}::text[])
     order by sequence limit ${limit}`.execute(db)
  return rows
}
export async function listIncidents(db: OrgDb, ids: readonly string[]): Promise<Incident[]> {
  const { rows } = await sql<Incident>`
    select id, number, title, severity, is_tabletop as "isTabletop", is_active as "isActive"
      from incidents where id = any(${ids}::uuid[])`.execute(db)
  return rows
}
export async function listTasks(db: OrgDb, ids: readonly string[]): Promise<Task[]> {
  const { rows } = await sql<Task>`
    select id, title, status, priority, due_timestamp as "dueTimestamp", assigned_to as "assignedTo"
      from activities where id = any(${ids}::uuid[]) and type = 'TASK'`.execute(db)
  return rows
}
/** People behind ids and addresses. */
export async function listPeople(db: OrgDb, named: readonly string[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select id, email, first_name as "firstName", last_name as "lastName" from users
     where id::text = any(${named}::text[]) or email = any(${named}::text[])`.execute(db)
  return rows
}

export interface NewDelivery {
  readonly id: string
  readonly webhookId: string
  readonly type: DeliveryType
  readonly body: string
  readonly incidentId: string | null
  readonly occurredTimestamp: string
  readonly dueTimestamp: string
  readonly expireTimestamp: string
}
/** Adds deliveries in their order. */
export async function insertDeliveries(db: OrgDb, rows: readonly NewDelivery[]): Promise<void> {
  for (const row of rows)
    await sql`
      insert into webhook_deliveries (id, webhook_id, type, body, incident_id, state, occurred_timestamp, due_timestamp, expire_timestamp)
      values (${row.id}, ${row.webhookId}, ${row.type}, ${row.body},
        (select id from incidents where id = ${row.incidentId}), 'WAITING', ${row.occurredTimestamp}, ${row.dueTimestamp},
        ${row.expireTimestamp})`.execute(db)
}

export interface DueDelivery {
  readonly id: string
  readonly type: DeliveryType
  readonly body: string
  readonly attempts: number
  readonly expireTimestamp: string
}
/** The oldest delivery that is due. */
export async function findDue(db: OrgDb, webhookId: string, now: string): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    select id, type, body, attempts, expire_timestamp as "expireTimestamp" from webhook_deliveries
     where webhook_id = ${webhookId} and state = 'WAITING' and due_timestamp <= ${now}
     order by position limit 1`.execute(db)
  return rows[0]
}

/** The outcome of an attempt. */
export interface Attempt {
  readonly status: number | null
  readonly problem: string | null
  readonly answer: string | null
}
/** Stores an attempt at a delivery that still waits. */
export const updateAttempt = (
  db: OrgDb,
  id: string,
  attempt: Attempt & { readonly state: string; readonly at: string; readonly due: string },
): Promise<unknown> =>
  sql`update webhook_deliveries
         set attempts = attempts + 1, status = ${attempt.status}, problem = ${attempt.problem}, answer = ${attempt.answer},
             state = ${attempt.state}, attempt_timestamp = ${attempt.at}, due_timestamp = ${attempt.due}
       where id = ${id} and state = 'WAITING'`.execute(db)

export const updateSucceeded = (db: OrgDb, id: string): Promise<unknown> =>
  sql`update webhooks set failures = 0 where id = ${id} and failures > 0`.execute(db)
/** Counts a failed attempt, and returns how many have failed in a row. */
export async function countFailure(db: OrgDb, id: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update webhooks set failures = failures + 1 where id = ${id} returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}
/** Sets the time of the next attempt at any delivery. */
export const updateNext = (db: OrgDb, id: string, at: string): Promise<unknown> =>
  sql`update webhooks set next_timestamp = ${at} where id = ${id}`.execute(db)
/** Switches a webhook off, so that changes that somebody began before are stale. */
export async function updateOff(db: OrgDb, id: string, at: string): Promise<boolean> {
  const { rows } = await sql`
    update webhooks set is_on = false, off_timestamp = ${at}, update_timestamp = ${at}, version = version + 1
     where id = ${id} and is_on returning id`.execute(db)
  return rows.length > 0
}
/**
 * Gives up deliveries that wait.
 * @param expiredAt only those that may not be sent at that time any more
 */
export const giveUp = (
  db: OrgDb,
  webhookId: string,
  problem: string,
  expiredAt: string | null = null,
): Promise<unknown> =>
  sql`update webhook_deliveries set state = 'FAILED', problem = concat_ws(' ', ${problem}::text, problem)
       where webhook_id = ${webhookId} and state = 'WAITING'
         and (${expiredAt}::timestamptz is null or expire_timestamp <= ${expiredAt})`.execute(db)
/** Forgets deliveries before the last hundred, except those that wait. */
export const deleteOld = (db: OrgDb, webhookId: string): Promise<unknown> =>
  sql`delete from webhook_deliveries where webhook_id = ${webhookId} and state <> 'WAITING' and position < (
        select min(position) from (
          select position from webhook_deliveries where webhook_id = ${webhookId}
           order by position desc limit ${DELIVERIES_KEPT}) as kept)`.execute(db)

const DELIVERY = sql`d.id, d.type, d.state, d.attempts, d.status, d.problem, d.answer,
  d.occurred_timestamp as "occurredTimestamp", d.attempt_timestamp as "attemptTimestamp",
  case when d.state = 'WAITING' then greatest(d.due_timestamp, w.next_timestamp) end as "dueTimestamp",
  d.incident_id as "incidentId", i.title as "incidentTitle"
  from webhook_deliveries d join webhooks w on w.id = d.webhook_id left join incidents i on i.id = d.incident_id`

/** A page of a webhook's deliveries, newest first. */
export async function listDeliveries(
  db: OrgDb,
  webhookId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ data: WebhookDelivery[]; total: number }> {
  const { rows } = await sql<WebhookDelivery>`
    select ${DELIVERY} where d.webhook_id = ${webhookId} order by d.position desc
     limit ${Math.min(size, Math.max(0, DELIVERIES_KEPT - offset))} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from webhook_deliveries where webhook_id = ${webhookId}`.execute(db)
  return { data: rows, total: Math.min(DELIVERIES_KEPT, counted.rows[0]!.total) }
}
/** One delivery; undefined where the webhook has none of this id. */
export async function findDelivery(
  db: OrgDb,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery | undefined> {
  const { rows } = await sql<WebhookDelivery>`
    select ${DELIVERY} where d.webhook_id = ${webhookId} and d.id = ${id}`.execute(db)
  return rows[0]
}
export async function hasWaitingTest(db: OrgDb, webhookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries where webhook_id = ${webhookId} and state = 'WAITING' and type = ${TEST_TYPE} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
/** Makes a delivery wait again. */
export const updateWaiting = (
  db: OrgDb,
  id: string,
  { due, expire }: { readonly due: string; readonly expire: string },
): Promise<unknown> =>
  sql`update webhook_deliveries
         set state = 'WAITING', attempts = 0, due_timestamp = ${due}, expire_timestamp = ${expire}
       where id = ${id}`.execute(db)
