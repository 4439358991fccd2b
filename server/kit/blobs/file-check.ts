import { setTimeout as wait } from 'node:timers/promises'

import pLimit from 'p-limit'
import type { Logger } from 'pino'

import type { Shelf } from './blobs.ts'
import { sealedSize } from './frames.ts'
import { DAY } from '../core/clock.ts'
import type { Database, EventActor } from '../database/db.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'files' }
/** Blobs per query. */
const PAGE = 500

interface Kept {
  readonly id: string
  readonly size: number
}

/** Concurrent size checks. */
const AT_ONCE = 10
type Sizes = Pick<Shelf, 'sizeOf'>

const isWhole = async (shelf: Sizes, { id, size }: Kept): Promise<boolean> =>
  (await shelf.sizeOf(id)) === sealedSize(size)

/** The ids of recorded files that are missing or of another length than recorded. */
export async function findDamagedFiles(shelf: Sizes, database: Database): Promise<string[]> {
  const page = (after: string | null) =>
    database.withProvider(SYSTEM, (db) => {
      const query = db.selectFrom('blobs').select(['id', 'size']).orderBy('id').limit(PAGE)
      return (after === null ? query : query.where('id', '>', after)).execute()
    })
  const damaged: string[] = []
  const limit = pLimit(AT_ONCE)
  for (let kept = await page(null); kept.length > 0; kept = await page(kept.at(-1)!.id))
    await Promise.all(
      kept.map((one) =>
        limit(async () => {
          if (!(await isWhole(shelf, one))) damaged.push(one.id)
        }),
      ),
    )
  if (damaged.length === 0) return []
  // A missing file without a row was deleted meanwhile: rows go before files.
  return database.withProvider(SYSTEM, async (db) => {
    const rows = await db.selectFrom('blobs').select('id').where('id', 'in', damaged).execute()
    return rows.map(({ id }) => id)
  })
}

export interface FileCheck {
  /** Warnings for the operator; empty when every file is present. */
  readonly warnings: () => readonly string[]
  stop(): Promise<void>
}

/** Compares the stored files with their records, at the start and then daily, in the background. */
export function watchFiles(shelf: Sizes, database: Database, log: Logger): FileCheck {
  const ended = new AbortController()
  let damaged: readonly string[] = []
  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        damaged = await findDamagedFiles(shelf, database)
        if (damaged.length > 0) log.error({ files: damaged }, 'stored files are missing or damaged')
      } catch (error) {
        log.error(error, 'stored files could not be checked')
      }
      await wait(DAY, undefined, { ref: false, signal: ended.signal }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    warnings: () =>
      damaged.length === 0
        ? []
        : [
            `${damaged.length === 1 ? '1 stored file is' : `${damaged.length} stored files are`} missing or damaged. ` +
              'The log names them; restore them from a backup.',
          ],
    stop: async () => {
      ended.abort()
      await watching
    },
  }
}
