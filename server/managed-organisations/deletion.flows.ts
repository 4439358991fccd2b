import { cut } from '#contract/kit/cut.ts'
import { GRACE_DAYS } from '#contract/managed-organisations/rules.ts'
import { clock, DAY, HOUR } from '#server/kit/core/clock.ts'
import type { EventActor, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'

import {
  countRows,
  deleteOrganisation,
  deleteRows,
  findDeletion,
  listBlobIds,
  listRemovalsBefore,
  listTenantTables,
  updateDeletionFailure,
  updateDeletionProgress,
  updateRemovals,
} from './store.ts'

const QUEUE = 'organisation-deletions'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'deletion' }
/** Rows or files deleted per statement, which bounds how long others wait. */
const BATCH = 1_000
const TIMEOUT_SECONDS = 3_600
/** Organisations cannot delete events: the last ones go with the organisation's row. */
const WITH_ORGANISATION: ReadonlySet<string> = new Set(['events'])
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const schedule = ({ jobs }: Services, db: ProviderDb, id: string): Promise<void> =>
  jobs.enqueue(db, QUEUE, { id })

/** Registers the handler that removes deleted organisations; call before the start. */
export function makeDeletions(services: Services): void {
  services.jobs.handle<{ id: string }>(QUEUE, ({ data }) => attempt(services, data.id), {
    timeoutSeconds: TIMEOUT_SECONDS,
  })
  services.jobs.every('organisation deletions', HOUR, () => removeDeleted(services))
}

const ago = (span: number) => new Date(clock.now() - span).toISOString()

/**
 * Schedules the removal of organisations after their days of grace, and again where it is unfinished after a day
 * because all attempts of its job failed. Returns how many.
 */
export const removeDeleted = (services: Services): Promise<number> =>
  services.database.withProvider(SYSTEM, async (db) => {
    const unfinished = await listRemovalsBefore(db, ago(DAY))
    const due = await updateRemovals(db, ago(GRACE_DAYS * DAY), clock.timestamp())
    for (const id of due) record(db, { noun: 'organisations', record: id, verb: 'removal begun' })
    for (const id of [...unfinished, ...due]) await schedule(services, db, id)
    return unfinished.length + due.length
  })

/** Retries a deletion that failed. @throws Refusal 404 */
export async function retryDeletion(services: Services, db: ProviderDb, id: string): Promise<void> {
  const deletion = await findDeletion(db, id)
  if (!deletion) throw notFound('This deletion')
  if (deletion.failure === null) return
  await updateDeletionFailure(db, id, null)
  await schedule(services, db, id)
  record(db, { noun: 'organisations', record: id, verb: 'deletion retried' })
}

/** Characters of an error that are stored. */
const FAILURE_MAX = 500

/** Removes a deleted organisation, and stores a failure for the console. */
async function attempt(services: Services, id: string): Promise<void> {
  const keep = (failure: string | null) =>
    services.database.withProvider(SYSTEM, (db) => updateDeletionFailure(db, id, failure))
  await keep(null)
  try {
    await purge(services, id)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await keep(cut(reason, FAILURE_MAX))
    throw error
  }
}

/** Removes every row and file of a deleted organisation. Resumes an interrupted attempt. */
async function purge({ database, blobs }: Services, id: string): Promise<void> {
  const inside = <T>(work: (db: ProviderDb) => Promise<T>) => database.withProvider(SYSTEM, work)
  for (let after = FIRST_ID; ;) {
    // Files are deleted before the rows that name them.
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
  // Progress continues from that of an earlier attempt.
  const before = (await inside((db) => findDeletion(db, id)))?.progress ?? 0
  for (const { table } of tables.filter(({ count }) => count > 0)) {
    for (let batch = BATCH; batch === BATCH;) {
      batch = await inside(async (db) => {
        const deleted = await deleteRows(db, table, id, BATCH)
        removed += deleted
        await updateDeletionProgress(
          db,
          id,
          Math.min(99, before + Math.floor((removed / total) * (100 - before))),
        )
        return deleted
      })
    }
  }
  await inside((db) => deleteOrganisation(db, id))
}
