import type { Logger } from 'pino'

import { clock, SECOND } from '#server/kit/core/clock.ts'
import { type Database, type OrgDb, unitOf } from '#server/kit/database/db.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { WriteBehind } from '#server/kit/database/write-behind.ts'

import { listActivity, upsertActivity, upsertSessionActivity } from './activity.store.ts'

const ACTIVITY_EVERY = 15 * SECOND
const running = new Set<ActivityLog>()

/** Times at which users were last active, all or these, as ISO strings, including the write-behind cache. */
export async function activityTimestamps(
  db: OrgDb,
  userIds?: readonly string[],
): Promise<{ userId: string; timestamp: string }[]> {
  const latest = new Map((await listActivity(db, userIds)).map((row) => [row.user_id, row.timestamp]))
  const requested = userIds && new Set(userIds)
  for (const log of running) {
    for (const [id, at] of log.since(unitOf(db).organisationId)) {
      if (requested && !requested.has(id)) continue
      if (at > (latest.get(id) ?? '')) latest.set(id, at)
    }
  }
  return Array.from(latest, ([userId, timestamp]) => ({ userId, timestamp }))
}

/** Last activity of a person or session. */
interface LastSeen {
  readonly at: string
  readonly isSession: boolean
}

const momentsOf = (entries: ReadonlyMap<string, LastSeen>, ofSessions: boolean): Map<string, string> =>
  new Map([...entries].flatMap(([id, { at, isSession }]) => (isSession === ofSessions ? [[id, at]] : [])))

/** Write-behind cache of people's last activity, so that requests do not wait for it. */
export class ActivityLog {
  readonly #seen: WriteBehind<LastSeen>

  constructor(database: Database, log: Logger) {
    this.#seen = new WriteBehind<LastSeen>({
      database,
      log,
      name: 'user activity',
      every: ACTIVITY_EVERY,
      write: async (db, entries) => {
        await upsertActivity(db, momentsOf(entries, false))
        await upsertSessionActivity(db, momentsOf(entries, true))
      },
      left: (now, written) => (now.at === written.at ? undefined : now),
    })
    running.add(this)
  }

  /** Marks a person as active now. */
  seen({ id, organisation, sessionId }: Pick<Caller, 'id' | 'organisation' | 'sessionId'>): void {
    const at = clock.timestamp()
    this.#seen.note(organisation.id, id, () => ({ at, isSession: false }))
    if (sessionId) this.#seen.note(organisation.id, sessionId, () => ({ at, isSession: true }))
  }

  /** People in the cache with their last activity. */
  since(organisationId: string): ReadonlyMap<string, string> {
    return momentsOf(this.#seen.since(organisationId), false)
  }

  flush(): Promise<void> {
    return this.#seen.flush()
  }

  async stop(): Promise<void> {
    await this.#seen.stop()
    running.delete(this)
  }
}
