import { sql } from 'kysely'

import type { Instance } from '#contract/instance/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import type { ProviderDb } from '#server/kit/database/db.ts'

/** Number of problems listed. */
const PROBLEMS_MAX = 20

/** The database's version and size, and how far its clock is ahead of the server's. */
export async function findDatabase(db: ProviderDb): Promise<Omit<Instance['database'], 'kind'>> {
  const asked = clock.now()
  const { rows } = await sql<{ version: string; bytes: number; now: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      floor(extract(epoch from clock_timestamp()) * 1000) as now`.execute(db)
  const { version, bytes, now } = rows[0]!
  return { version, bytes, clockSkewMs: Math.round(now - (asked + clock.now()) / 2) }
}

export async function listQueues(db: ProviderDb): Promise<Instance['queues']> {
  const { rows } = await sql<Instance['queues'][number]>`
    select q.name,
      count(j.id) filter (where j.state in ('created', 'retry')) as waiting,
      count(j.id) filter (where j.state = 'active') as active,
      count(j.id) filter (where j.state = 'failed') as failed
    from pgboss.queue q left join pgboss.job j on j.name = q.name
    where q.name not like '\\_\\_%' group by q.name order by q.name`.execute(db)
  return rows
}

type Carrier = Instance['carriers'][number]
/** Carriers with messages that wait, by channel. */
export async function findTroubles(
  db: ProviderDb,
): Promise<ReadonlyMap<string, NonNullable<Carrier['trouble']>>> {
  const { rows } = await sql<{ channel: string } & NonNullable<Carrier['trouble']>>`
    select channel, count(*) as waiting, min(create_timestamp) as "sinceTimestamp",
      (array_agg(reason order by create_timestamp desc))[1] as reason
    from messages where carrier_trouble and state in ('QUEUED', 'SENDING') group by channel`.execute(db)
  return new Map(rows.map(({ channel, ...trouble }) => [channel, trouble]))
}

/** Counts and latest problems of the last day's messages. */
export async function findMessages(db: ProviderDb): Promise<Instance['messages']> {
  const since = new Date(clock.now() - DAY).toISOString()
  const { rows } = await sql<{ waiting: number; oldest: string | null; failed: number }>`
    select count(*) filter (where state in ('QUEUED', 'SENDING')) as waiting,
      min(create_timestamp) filter (where state in ('QUEUED', 'SENDING')) as oldest,
      count(*) filter (where state = 'FAILED') as failed
    from messages where create_timestamp > ${since}`.execute(db)
  const problems = await sql<Instance['messages']['problems'][number]>`
    select coalesce(o.display_name, 'The provider') as enterprise, m.channel, m.state, m.reason,
      m.create_timestamp as "createTimestamp"
    from messages m left join organisations o on o.id = m.organisation_id
    where m.create_timestamp > ${since} and m.reason is not null and m.state in ('QUEUED', 'SENDING', 'FAILED')
    order by m.create_timestamp desc, m.id limit ${PROBLEMS_MAX}`.execute(db)
  const { waiting, oldest, failed } = rows[0]!
  return { waiting, oldestWaitingTimestamp: oldest, failed, problems: problems.rows }
}
