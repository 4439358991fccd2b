import { sql } from 'kysely'

import { cut } from '#contract/kit/cut.ts'
import type { SuppressionReason } from '#contract/suppressions/schema.ts'

import { clock } from '../core/clock.ts'
import type { OrgDb } from '../database/db.ts'
import type { MessageState, Outcome, Refused } from './messages.ts'
import { suppress } from './suppressions.ts'

/** State of an attempt. `DEFERRED` is retried, and of `UNKNOWN` the carrier is asked first. */
export type AttemptState = 'DEFERRED' | 'UNKNOWN' | 'SENT' | 'DELIVERED' | 'FAILED'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    message_attempts: {
      message_id: string
      number: number
      carrier: string
      provider_id: string | null
      state: AttemptState
      code: string | null
      reason: string | null
      tries: number
      create_timestamp: string
      update_timestamp: string
    }
  }
}

const REASON_MAX = 1_000
const CODE_MAX = 40

/** The outcome of a message, with the time of the attempt; null where no carrier was asked. */
export interface Noted {
  readonly id: string
  readonly outcome: Outcome
  readonly at: string | null
  /** Name in the ledger; the asked carrier's without it. */
  readonly carrier?: string
}

/** Locks messages in one order, so that what is read of their attempts afterwards is complete. */
const lockMessages = (db: OrgDb, ids: readonly string[]) =>
  sql`select from messages where id = any(${ids}::uuid[]) order by id for update`.execute(db)

/**
 * Turns reading of whole tables off or on for the next statements. While a large notification is sent, the statistics know
 * nothing of its rows, and each batch would read all of them.
 */
const scans = (db: OrgDb, value: 'on' | 'off') =>
  sql`select set_config('enable_seqscan', ${value}, true), set_config('enable_hashjoin', ${value}, true),
    set_config('enable_mergejoin', ${value}, true)`.execute(db)

/**
 * Records the outcomes of messages and of the attempts. A confirmation may have come before: it stays, and so does
 * everything that is final. Attempts at other carriers before are recorded first.
 * @param carrier name of the carrier where the outcome names none
 */
export async function note(db: OrgDb, carrier: string, noted: readonly Noted[]): Promise<void> {
  const rounds = Math.max(0, ...noted.map(({ outcome }) => outcome.via?.refused.length ?? 0))
  for (let round = 0; round < rounds; round += 1)
    await noteRound(
      db,
      carrier,
      noted.flatMap(({ id, outcome }) => {
        const refused = outcome.via?.refused[round]
        return refused ? [{ id, outcome: deferred(refused), at: refused.at }] : []
      }),
    )
  await noteRound(db, carrier, noted)
}
const deferred = ({ carrier, reason, code }: Refused): Outcome => ({
  state: 'QUEUED',
  reason,
  ...(code !== undefined && { code }),
  trouble: 'ONE',
  via: { carrier, refused: [] },
})

/** Records one outcome of each message. */
async function noteRound(db: OrgDb, carrier: string, noted: readonly Noted[]): Promise<void> {
  const now = clock.timestamp()
  const column = <T>(of: (outcome: Outcome) => T) => noted.map(({ outcome }) => of(outcome))
  const ids = noted.map(({ id }) => id)
  await Promise.all([
    scans(db, 'off'),
    lockMessages(db, ids),
    sql`with n as (
      select * from unnest(${ids}::uuid[], ${column(({ state }) => state)}::text[],
        ${column((one) => (one.state === 'SENT' ? one.providerId.slice(0, REASON_MAX) : null))}::text[],
        ${column((one) => (one.state === 'SENT' ? null : cut(one.reason, REASON_MAX)))}::text[],
        ${column((one) => ('code' in one && one.code?.slice(0, CODE_MAX)) || null)}::text[],
        ${column((one) => 'trouble' in one && one.trouble !== undefined)}::boolean[],
        ${noted.map(({ at }) => at)}::timestamptz[], ${noted.map((one) => one.outcome.via?.carrier ?? one.carrier ?? carrier)}::text[])
        as n (id, state, provider, reason, code, trouble, at, carrier)
    ), news as (
      select n.*, last.number, last.state as last_state, last.reason as last_reason, last.carrier as last_carrier
      from n left join lateral (
        select * from message_attempts a where a.message_id = n.id order by number desc limit 1
      ) last on true
      where not exists (select from message_attempts a where a.message_id = n.id and a.provider_id = n.provider)
    ), moved as (
      update messages m
      set state = n.state, provider_id = coalesce(n.provider, m.provider_id), reason = n.reason,
        carrier_trouble = n.trouble,
        done_timestamp = case when n.state in ('SENT', 'FAILED') then ${now}::timestamptz end
      from news n where m.id = n.id and (m.state in ('QUEUED', 'SENDING') or n.state = 'SENT' and m.state = 'FAILED')
    ), tried as (
      select n.*, case n.state when 'QUEUED' then 'DEFERRED' when 'SENDING' then 'UNKNOWN' else n.state end as attempt
      from news n where n.at is not null
        and not (n.state = 'SENDING' and exists (select from messages m where m.id = n.id and m.state = 'DELIVERED'))
    ), repeated as (
      update message_attempts a set tries = a.tries + 1, update_timestamp = n.at from tried n
      where a.message_id = n.id and a.number = n.number and n.attempt in ('DEFERRED', 'UNKNOWN')
        and n.last_state = n.attempt and n.last_reason = n.reason and n.last_carrier = n.carrier
      returning a.message_id
    )
    insert into message_attempts (organisation_id, message_id, number, carrier, provider_id, state, code, reason,
      create_timestamp, update_timestamp)
    select (select current_organisation()), id, coalesce(number, 0) + 1, carrier, provider, attempt, code, reason, at, at
    from tried where id not in (select message_id from repeated)`.execute(db),
    suppress(
      db,
      noted.flatMap(({ id: messageId, outcome }) =>
        outcome.state === 'FAILED' && outcome.suppression
          ? [
              {
                messageId,
                carrier: outcome.via?.carrier ?? carrier,
                reason: outcome.suppression,
                code: outcome.code ?? null,
                said: outcome.reason,
              },
            ]
          : [],
      ),
    ),
    scans(db, 'on'),
  ])
}

/** Final report of a carrier about a message that it accepted. */
export interface Confirmation {
  readonly messageId: string
  readonly carrier: string
  readonly providerId: string
  readonly state: 'DELIVERED' | 'FAILED'
  readonly code: string | null
  /** Reason of a failure in plain words; null for a delivery. */
  readonly reason: string | null
  /** Reason for which the address is not tried again; none by default. */
  readonly suppression?: SuppressionReason | undefined
}

/** A message whose state a confirmation has changed. */
export interface Confirmed {
  readonly id: string
  readonly notificationId: string | null
  /** State before. */
  readonly from: MessageState
}

/**
 * Records confirmations of attempts, and what follows of the messages: one delivered attempt delivers, and a failed one
 * fails a message unless another may still arrive. What is final stays, so that repeated, late and reordered reports
 * change nothing. Returns the messages that have changed.
 */
export async function confirm(db: OrgDb, reports: readonly Confirmation[]): Promise<Confirmed[]> {
  // One report for each attempt: the first.
  const some = [
    ...new Map(
      reports.toReversed().map((one) => [`${one.messageId} ${one.providerId}`, one] as const),
    ).values(),
  ]
  if (some.length === 0) return []
  const now = clock.timestamp()
  const ids = some.map(({ messageId }) => messageId)
  const [, , , { rows }] = await Promise.all([
    scans(db, 'off'),
    lockMessages(db, ids),
    sql`with n as (
      select * from unnest(${ids}::uuid[], ${some.map(({ providerId }) => providerId.slice(0, REASON_MAX))}::text[],
        ${some.map(({ carrier }) => carrier)}::text[], ${some.map(({ state }) => state)}::text[],
        ${some.map(({ code }) => code?.slice(0, CODE_MAX) ?? null)}::text[],
        ${some.map(({ reason }) => reason && cut(reason, REASON_MAX))}::text[])
        as n (id, provider, carrier, state, code, reason)
    ), known as (
      update message_attempts a set state = n.state, code = n.code, reason = n.reason, update_timestamp = ${now}
      from n where a.message_id = n.id and a.provider_id = n.provider and a.state not in ('DELIVERED', 'FAILED')
    ), unknown as (
      -- The attempt whose answer was lost.
      update message_attempts a set provider_id = n.provider, state = n.state, code = n.code, reason = n.reason,
        update_timestamp = ${now}
      from n where a.message_id = n.id and a.state = 'UNKNOWN' and a.provider_id is null
        and a.number = (select max(number) from message_attempts l where l.message_id = n.id)
        and not exists (select from message_attempts k where k.message_id = n.id and k.provider_id = n.provider)
      returning a.message_id
    )
    insert into message_attempts (organisation_id, message_id, number, carrier, provider_id, state, code, reason,
      create_timestamp, update_timestamp)
    select m.organisation_id, n.id,
      (select coalesce(max(number), 0) from message_attempts a where a.message_id = n.id)
        + row_number() over (partition by n.id),
      n.carrier, n.provider, n.state, n.code, n.reason, ${now}, ${now}
    from n join messages m on m.id = n.id and m.state <> 'KEPT'
    where not exists (select from message_attempts a where a.message_id = n.id and a.provider_id = n.provider)
      and n.id not in (select message_id from unknown)`.execute(db),
    sql<Confirmed>`with a as (
      select message_id, bool_or(state = 'DELIVERED') as is_delivered, bool_or(state = 'SENT') as is_open,
        (array_agg(reason order by number desc))[1] as reason,
        (array_agg(provider_id order by state = 'DELIVERED' desc, number desc))[1] as provider_id
      from message_attempts where message_id = any(${ids}::uuid[]) group by message_id
    ), before as (
      select id, state from messages where id = any(${ids}::uuid[])
    )
    update messages m set state = case when a.is_delivered then 'DELIVERED' else 'FAILED' end,
      reason = case when a.is_delivered then null else a.reason end, carrier_trouble = false, done_timestamp = ${now},
      provider_id = coalesce(a.provider_id, m.provider_id)
    from a join before on before.id = a.message_id
    where m.id = a.message_id and m.state not in ('KEPT', 'DELIVERED')
      and (a.is_delivered or not a.is_open and m.state in ('SENT', 'SENDING'))
    returning m.id, m.notification_id as "notificationId", before.state as "from"`.execute(db),
    scans(db, 'on'),
  ])
  const changed = new Set(rows.map(({ id }) => id))
  await suppress(
    db,
    some.flatMap(({ messageId, carrier, suppression: reason, code, reason: said }) =>
      reason && changed.has(messageId) ? [{ messageId, carrier, reason, code, said }] : [],
    ),
  )
  return rows
}

/** An attempt as it is shown. */
export interface ShownAttempt {
  readonly messageId: string
  readonly carrier: string
  readonly providerId: string | null
  readonly state: AttemptState
  readonly code: string | null
  readonly reason: string | null
  readonly tries: number
  readonly createTimestamp: string
  readonly updateTimestamp: string
}
/** Attempts of messages, the oldest first. */
export async function listAttempts(db: OrgDb, messageIds: readonly string[]): Promise<ShownAttempt[]> {
  return db
    .selectFrom('message_attempts')
    .select([
      'message_id as messageId',
      'carrier',
      'provider_id as providerId',
      'state',
      'code',
      'reason',
      'tries',
    ])
    .select(['create_timestamp as createTimestamp', 'update_timestamp as updateTimestamp'])
    .where('message_id', 'in', messageIds)
    .orderBy('message_id')
    .orderBy('number')
    .execute()
}
