import { sql } from 'kysely'

import { type OrgDb, PROVIDER_ID, type ProviderDb } from '#server/kit/database/db.ts'
import type { Channel } from '#server/kit/messages/messages.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    carrier_outages: {
      id: string
      channel: Channel
      reason: string
      create_timestamp: string
      end_timestamp: string | null
    }
    carrier_outage_notices: { outage_id: string; create_timestamp: string }
  }
}

/** An outage that lasts. */
export interface Outage {
  readonly id: string
  readonly channel: Channel
  readonly since: string
}

/** False where another process looks for outages; otherwise keeps others from it until the transaction ends. */
export async function holdOutages(db: ProviderDb): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('carrier outages', 0)) as held`.execute(db)
  return rows[0]!.held
}

/** Messages of a channel that wait for their carrier. */
export interface Waiting {
  readonly channel: Channel
  /** First failure since the carrier last accepted a message of the channel. */
  readonly since: string
  /** Time at which it last accepted one; null for long ago. */
  readonly servedTimestamp: string | null
  readonly reason: string
  readonly organisationIds: readonly string[]
}
/** Twilio's code for a country that the account may not send to, which is no outage. */
const COUNTRY_REFUSED = '21408'
/**
 * Channels with messages that wait for their carrier, and last failed after it accepted any.
 * @param from time before which messages were given up
 */
export async function listWaiting(db: ProviderDb, from: string): Promise<Waiting[]> {
  const isWaiting = sql`m.create_timestamp > ${from} and m.carrier_trouble and m.state in ('QUEUED', 'SENDING')`
  const { rows: channels } = await sql<{
    channel: Channel
  }>`select distinct m.channel from messages m where ${isWaiting}`.execute(db)
  if (channels.length === 0) return []
  const { rows } = await sql<Waiting>`
    with served as materialized (
      select m.channel, max(a.create_timestamp) as at
      from messages m join message_attempts a on a.message_id = m.id and a.state in ('SENT', 'DELIVERED')
      where m.create_timestamp > ${from} and m.channel = any(${channels.map(({ channel }) => channel)}::text[])
      group by m.channel
    ), failed as (
      select m.channel, greatest(a.create_timestamp, s.at) as since, s.at as served, a.update_timestamp as at, a.reason
      from messages m join message_attempts a on a.message_id = m.id and a.state in ('DEFERRED', 'UNKNOWN')
        left join served s on s.channel = m.channel
      where ${isWaiting}
        and (s.at is null or a.update_timestamp > s.at) and a.code is distinct from ${COUNTRY_REFUSED}
    )
    select f.channel, min(f.since) as since, max(f.served) as "servedTimestamp", coalesce((array_agg(f.reason order by f.at desc))[1], '') as reason,
      array(
        select distinct m.organisation_id from messages m join organisations o on o.id = m.organisation_id and not o.is_closed
        where ${isWaiting}
          and m.channel = f.channel and m.organisation_id <> ${PROVIDER_ID}
        order by m.organisation_id
      ) as "organisationIds"
    from failed f group by f.channel`.execute(db)
  return rows
}

export const listOutages = (db: ProviderDb): Promise<Outage[]> =>
  db
    .selectFrom('carrier_outages')
    .select(['id', 'channel', 'create_timestamp as since'])
    .where('end_timestamp', 'is', null)
    .execute()

/** Stores that an outage has begun. */
export async function insertOutage(db: ProviderDb, { channel, since, reason }: Waiting): Promise<Outage> {
  const { id } = await db
    .insertInto('carrier_outages')
    .values({ id: crypto.randomUUID(), channel, reason, create_timestamp: since, end_timestamp: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, channel, since }
}

export const updateEnded = (db: ProviderDb, id: string, at: string): Promise<unknown> =>
  db.updateTable('carrier_outages').set({ end_timestamp: at }).where('id', '=', id).execute()

/** Organisations that were told of an outage, and are open. */
export async function listTold(db: ProviderDb, outageId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from carrier_outage_notices n join organisations o on o.id = n.organisation_id and not o.is_closed
    where n.outage_id = ${outageId} order by o.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stores that an organisation was told of an outage. */
export const insertNotice = (db: OrgDb, outageId: string, at: string): Promise<unknown> =>
  db.insertInto('carrier_outage_notices').values({ outage_id: outageId, create_timestamp: at }).execute()

/** Forgets outages that ended before a time. */
export const deleteOutages = (db: ProviderDb, before: string): Promise<unknown> =>
  db.deleteFrom('carrier_outages').where('end_timestamp', '<', before).execute()
