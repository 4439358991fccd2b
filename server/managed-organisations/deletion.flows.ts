import { clock, DAY } from '#server/kit/clock.ts'
import type { EventActor, ProviderDb } from '#server/kit/database/db.ts'
import type { Services } from '#server/kit/services.ts'

import {
  countRows,
  deleteOrganisation,
  deleteRows,
  listBlobIds,
  listDeletedBefore,
  listTenantTables,
  updateDeletionProgress,
} from './store.ts'

const QUEUE = 'organisation-deletions'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'deletion' }
/** Rows or files that are deleted at once: others wait no longer than for these. */
const BATCH = 1_000
const TIMEOUT_SECONDS = 3_600
/** No organisation may delete events: the last of them go with the organisation itself. */
const WITH_ORGANISATION: ReadonlySet<string> = new Set(['events'])
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Has an organisation removed once the transaction has committed. */
export const scheduleDeletion = ({ jobs }: Services, db: ProviderDb, id: string): Promise<void> =>
  jobs.enqueue(db, QUEUE, { id })

/** Says, before the start, who removes deleted organisations. */
export function makeDeletions(services: Services): void {
  services.jobs.handle<{ id: string }>(QUEUE, ({ data }) => purge(services, data.id), {
    timeoutSeconds: TIMEOUT_SECONDS,
  })
  services.jobs.every('organisation deletions', DAY, () => resumeDeletions(services))
}

/** Schedules again every deletion that is not done after a day, when all attempts of its job have failed. Returns how many. */
export const resumeDeletions = (services: Services): Promise<number> =>
  services.database.withProvider(SYSTEM, async (db) => {
    const before = new Date(clock.now() - DAY).toISOString()
    const ids = await listDeletedBefore(db, before)
    for (const id of ids) await scheduleDeletion(services, db, id)
    return ids.length
  })

/** Removes every row and file of a deleted organisation. Interrupted, it goes on where it was. */
async function purge({ database, blobs }: Services, id: string): Promise<void> {
  const inside = <T>(work: (db: ProviderDb) => Promise<T>) => database.withProvider(SYSTEM, work)
  for (let after = FIRST_ID; ;) {
    // Files before the rows that name them.
    const ids = await inside((db) => listBlobIds(db, id, after, BATCH))
    for (const blob of ids) await blobs.remove(id, blob)
    if (ids.length < BATCH) break
    after = ids.at(-1)!
  }
  const tables = await inside(async (db) => {
    const counted: { table: string; count: number }[] = []
    for (const table of await listTenantTables(db))
      if (!WITH_ORGANISATION.has(table)) counted.push({ table, count: await countRows(db, table, id) })
    return counted
  })
  const total = tables.reduce((sum, { count }) => sum + count, 0)
  let removed = 0
  for (const { table } of tables.filter(({ count }) => count > 0)) {
    for (let batch = BATCH; batch === BATCH;) {
      batch = await inside(async (db) => {
        const deleted = await deleteRows(db, table, id, BATCH)
        removed += deleted
        await updateDeletionProgress(db, id, Math.min(99, Math.floor((removed / total) * 100)))
        return deleted
      })
    }
  }
  await inside((db) => deleteOrganisation(db, id))
}
