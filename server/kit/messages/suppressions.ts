import { sql } from 'kysely'

import { cut } from '#contract/kit/cut.ts'
import { BLOCKED, withheldReason } from '#contract/suppressions/rules.ts'
import type { Suppression, SuppressionReason } from '#contract/suppressions/schema.ts'

import { clock } from '../core/clock.ts'
import { type ColumnsOf, selectionOf } from '../database/columns.ts'
import type { OrgDb, ProviderDb } from '../database/db.ts'
import type { Channel, InboundSms } from './messages.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    suppressions: ColumnsOf<Suppression> & { carrier: string; message_id: string | null }
  }
}

/** Columns of a suppression as it is shown. */
export const SUPPRESSION_COLUMNS = selectionOf([
  'id',
  'kind',
  'address',
  'reason',
  'code',
  'said',
  'notificationId',
  'createTimestamp',
  'liftTimestamp',
  'liftedBy',
  'liftReason',
])
const SAID_MAX = 1_000
const CODE_MAX = 40

/** Name of this product in the ledger, for messages that no carrier was given. */
export const WITHHELD_BY = 'Muster'

/** A failure that suppresses the address of its message. */
export interface Suppressing {
  readonly messageId: string
  readonly carrier: string
  readonly reason: SuppressionReason
  readonly code: string | null
  readonly said: string | null
}

/**
 * Suppresses the addresses of failed messages, in the transaction that records the failures. A message from before the
 * address was allowed again tells nothing new.
 */
export async function suppress(db: OrgDb, failures: readonly Suppressing[]): Promise<void> {
  if (failures.length === 0) return
  await sql`
    insert into suppressions (organisation_id, kind, address, reason, carrier, code, said, message_id, notification_id,
      create_timestamp)
    select distinct on (lower(m.recipient), n.reason) (select current_organisation()),
      case m.channel when 'EMAIL' then 'EMAIL' else 'PHONE' end, lower(m.recipient), n.reason, n.carrier, n.code, n.said,
      m.id, m.notification_id, ${clock.timestamp()}::timestamptz
    from unnest(${failures.map(({ messageId }) => messageId)}::uuid[], ${failures.map(({ reason }) => reason)}::text[],
      ${failures.map(({ carrier }) => carrier)}::text[],
      ${failures.map(({ code }) => code?.slice(0, CODE_MAX) ?? null)}::text[],
      ${failures.map(({ said }) => said && cut(said, SAID_MAX))}::text[])
      as n (id, reason, carrier, code, said)
      join messages m on m.id = n.id and m.state = 'FAILED' and (m.channel = 'EMAIL') = (n.reason = 'BOUNCED')
    where not exists (
      select from suppressions s where s.address = lower(m.recipient) and s.reason = n.reason
        and s.lift_timestamp >= m.create_timestamp
    )
    order by lower(m.recipient), n.reason, m.id
    on conflict do nothing`.execute(db)
}

/** Addresses that are not tried, by lower-case address or number. */
export async function findSuppressions(db: OrgDb, addresses: readonly string[]): Promise<Suppression[]> {
  if (addresses.length === 0) return []
  return db
    .selectFrom('suppressions')
    .select(SUPPRESSION_COLUMNS)
    .where('lift_timestamp', 'is', null)
    .where('address', '=', sql<string>`any(${addresses.map((one) => one.toLowerCase())}::text[])`)
    .orderBy('create_timestamp')
    .execute()
}

/** Reasons why addresses are not tried by a channel, by address as given. */
export type Withheld = (channel: Channel, address: string) => string | undefined

const keyOf = (channel: Channel, address: string) => `${channel} ${address.toLowerCase()}`
/** Looks up which of these addresses and numbers are not tried. */
export async function findWithheld(db: OrgDb, addresses: readonly string[]): Promise<Withheld> {
  const reasons = new Map<string, string>()
  for (const { address, reason, createTimestamp } of await findSuppressions(db, addresses))
    for (const channel of BLOCKED[reason])
      reasons.set(keyOf(channel, address), withheldReason(reason, createTimestamp))
  return (channel, address) => reasons.get(keyOf(channel, address))
}

/** Reasons of messages of notifications whose address was suppressed since they were queued, by message id. */
export async function findWithheldMessages(
  db: OrgDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; channel: Channel; reason: SuppressionReason; at: string }>`
    select m.id, m.channel, s.reason, s.create_timestamp as at
    from messages m join suppressions s on s.address = lower(m.recipient) and s.lift_timestamp is null
    where m.id = any(${ids}::uuid[]) and m.notification_id is not null`.execute(db)
  return new Map(
    rows
      .filter(({ channel, reason }) => BLOCKED[reason].includes(channel))
      .map(({ id, reason, at }) => [id, withheldReason(reason, at)]),
  )
}

/** Organisations that have sent an SMS to a number from the number that it replies to. */
const messagedBy = ({ from, to }: Pick<InboundSms, 'from' | 'to'>, ours: string | null) => sql`
  select distinct m.organisation_id from messages m join message_contents c on c.id = m.content_id
  where m.recipient = ${from} and m.channel = 'SMS' and m.notification_id is not null
    and coalesce(c.sender, ${ours}::text, ${to}::text) = ${to}`

/**
 * Stops SMS to a number in each organisation that has sent one from the number that was replied to. Returns the number of
 * these organisations.
 * @param ours the number of the settings, from which messages without their own come
 */
export async function stopSms(db: ProviderDb, reply: InboundSms, ours: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with by as materialized (${messagedBy(reply, ours)}), added as (
      insert into suppressions (organisation_id, kind, address, reason, carrier, create_timestamp)
      select organisation_id, 'PHONE', ${reply.from}, 'STOPPED', ${reply.carrier}, ${clock.timestamp()}::timestamptz from by
      order by organisation_id
      on conflict do nothing
    )
    select count(*) from by`.execute(db)
  return rows[0]!.count
}

/** Allows SMS to a number again, where a STOP has ended them. Returns the number of organisations that had sent any. */
export async function startSms(db: ProviderDb, reply: InboundSms, ours: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with by as materialized (${messagedBy(reply, ours)}), lifted as (
      update suppressions s set lift_timestamp = ${clock.timestamp()}::timestamptz, lift_reason = 'START by SMS'
      from by where s.organisation_id = by.organisation_id and s.address = ${reply.from} and s.reason = 'STOPPED'
        and s.lift_timestamp is null
    )
    select count(*) from by`.execute(db)
  return rows[0]!.count
}
