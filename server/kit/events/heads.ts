import { sql } from 'kysely'

import type { Database, EventActor } from '../database/db.ts'

/** Milliseconds between two checks. */
const LOOK_EVERY = 800
const LIVE: EventActor = { kind: 'system', id: null, name: 'live' }

/**
 * Polls the heads of streams: a process that dies between its commit and the notification leaves the commit
 * unannounced.
 * @returns a function that stops the polling
 */
export function watchHeads(parts: {
  readonly database: Database
  readonly table: 'event_heads' | 'chat_heads'
  /** Organisations with subscribers. */
  readonly organisations: () => readonly string[]
  /** Called with the last number of each stream. */
  readonly look: (organisationId: string, sequence: number) => void
  readonly onError: (error: unknown) => void
}): () => void {
  const { database, table, organisations, look, onError } = parts
  let isLooking = false
  async function lookAll(ids: readonly string[]): Promise<void> {
    const { rows } = await database.withProvider(LIVE, (db) =>
      sql<{ id: string; sequence: number }>`select organisation_id as id, sequence from ${sql.table(table)}
        where organisation_id = any(${ids}::uuid[])`.execute(db),
    )
    for (const { id, sequence } of rows) look(id, sequence)
  }
  const timer = setInterval(() => {
    const ids = organisations()
    if (isLooking || ids.length === 0) return
    isLooking = true
    lookAll(ids)
      .catch(onError)
      .finally(() => (isLooking = false))
  }, LOOK_EVERY).unref()
  return () => clearInterval(timer)
}
