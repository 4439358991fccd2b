import { sql } from 'kysely'

import type { Organisation, startTestServer } from './server.ts'

/** Adds many colleagues without sessions. Returns their ids. */
export async function addCrowd(
  { inside }: Pick<Awaited<ReturnType<typeof startTestServer>>, 'inside'>,
  org: Organisation,
  count: number,
): Promise<string[]> {
  const { rows } = await inside(org, (db) =>
    sql<{ id: string }>`
      insert into users (email, first_name, last_name, role, type, create_timestamp, update_timestamp)
        select n || '@crowd.example', 'Person', 'No. ' || n, 'USER', 'INTERNAL', now(), now()
          from generate_series(1, ${count}::int) n
      returning id`.execute(db),
  )
  return rows.map(({ id }) => id)
}
