import type pg from 'pg'

import { PROVIDER_ID } from '../database/db.ts'

/** An installation that a restore would replace. */
export interface Found {
  /** Folder or database that has it. */
  readonly place: string
  /** Sentences about its contents. */
  readonly contents: string
}

/** Counts as text, such as `1 organisation` and `12 people`. */
const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Sentences about what a database has. */
export async function describeContents(client: pg.Client): Promise<string> {
  try {
    await client.query(
      `begin read only; set local role muster_provider; set local app.organisation = '${PROVIDER_ID}'`,
    )
    const { rows } = await client.query<{
      organisations: number
      people: number
      incidents: number
      newest: string | null
    }>(`
      select (select count(*) from organisations)::float8 as organisations, (select count(*) from users)::float8 as people,
        (select count(*) from incidents)::float8 as incidents, (select max(at) from events) as newest`)
    const { organisations, people, incidents, newest } = rows[0]!
    return (
      `It has ${counted(organisations, 'organisation', 'organisations')}, ${counted(people, 'person', 'people')} and ` +
      `${counted(incidents, 'incident', 'incidents')}. ` +
      (newest === null ? 'Nothing has happened in it.' : `The newest event is of ${newest}.`)
    )
  } catch (error) {
    return `Its contents cannot be read (${(error as Error).message}).`
  } finally {
    await client.query('rollback').catch(() => {})
  }
}
