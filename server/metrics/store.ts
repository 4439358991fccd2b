import { sql } from 'kysely'

import type { ProviderDb } from '#server/kit/database/db.ts'

/** Messages by channel that have not been handed to a carrier, and the age of the oldest in seconds. */
export async function findWaiting(
  db: ProviderDb,
  { now, since }: { readonly now: string; readonly since: string },
): Promise<{ channel: string; waiting: number; troubled: number; seconds: number }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof findWaiting>>[number]>`
    select c.channel, count(m.id) as waiting, count(m.id) filter (where m.carrier_trouble) as troubled,
      coalesce(extract(epoch from ${now}::timestamptz - min(m.create_timestamp)), 0) as seconds
    from unnest(array['EMAIL', 'SMS', 'VOICE_CALL']) as c (channel)
      left join messages m on m.channel = c.channel and m.state in ('QUEUED', 'SENDING')
        and m.create_timestamp > ${since} and m.create_timestamp <= ${now}
    group by c.channel order by c.channel`.execute(db)
  return rows
}

/** Messages that were made since a time, by channel and state. */
export async function countMessages(
  db: ProviderDb,
  since: string,
): Promise<{ channel: string; state: string; total: number }[]> {
  const { rows } = await sql<{ channel: string; state: string; total: number }>`
    select channel, state, count(*) as total from messages where create_timestamp > ${since}
    group by channel, state order by channel, state`.execute(db)
  return rows
}

/** Organisations by whether they are open. */
export async function countOrganisations(db: ProviderDb): Promise<{ open: number; closed: number }> {
  const { rows } = await sql<{ open: number; closed: number }>`
    select count(*) filter (where not is_closed) as open, count(*) filter (where is_closed) as closed
    from organisations`.execute(db)
  return rows[0]!
}
