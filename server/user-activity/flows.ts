import type { Logger } from 'pino'

import { upsertSessionActivity } from '#server/account/store.ts'
import { clock, SECOND } from '#server/kit/clock.ts'
import { type Database, type OrgDb, unitOf } from '#server/kit/db.ts'
import type { Caller } from '#server/kit/serve.ts'

import { listActivity, upsertActivity } from './store.ts'

const ACTIVITY_EVERY = 15 * SECOND
const running = new Set<ActivityLog>()

/** When each user was last active, as ISO strings, up to this moment. */
export async function activityTimestamps(db: OrgDb): Promise<{ userId: string; timestamp: string }[]> {
  const latest = new Map((await listActivity(db)).map((row) => [row.user_id, row.timestamp]))
  for (const log of running) {
    for (const [id, at] of log.since(unitOf(db).organisationId)) {
      if (at > (latest.get(id) ?? '')) latest.set(id, at)
    }
  }
  return Array.from(latest, ([userId, timestamp]) => ({ userId, timestamp }))
}

/** By id of a person or a session: when it was last seen. */
type Moments = Map<string, string>

/** Remembers when people were last active and writes it down now and then, so that no call waits for it. */
export class ActivityLog {
  readonly #seen = new Map<string, { readonly people: Moments; readonly sessions: Moments }>()
  readonly #database: Database
  readonly #timer: NodeJS.Timeout
  #writing = Promise.resolve()

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#timer = setInterval(() => {
      this.flush().catch((error: unknown) => log.error(error, 'user activity'))
    }, ACTIVITY_EVERY).unref()
    running.add(this)
  }

  /** Notes that a person is active now. */
  seen({ id, organisation, sessionId }: Pick<Caller, 'id' | 'organisation' | 'sessionId'>): void {
    const { people, sessions } = this.#seen.get(organisation.id) ?? { people: new Map(), sessions: new Map() }
    const now = clock.timestamp()
    people.set(id, now)
    if (sessionId) sessions.set(sessionId, now)
    this.#seen.set(organisation.id, { people, sessions })
  }

  /** What is not written down yet. */
  since(organisationId: string): ReadonlyMap<string, string> {
    return this.#seen.get(organisationId)?.people ?? new Map()
  }

  /** Writes down what is not yet; what could not be written is tried again next time. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write())
    return this.#writing
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
    running.delete(this)
  }

  async #write(): Promise<void> {
    for (const [organisationId, { people, sessions }] of this.#seen) {
      const written = { people: new Map(people), sessions: new Map(sessions) }
      await this.#database.withOrganisation(
        { organisationId, actor: () => ({ kind: 'system', id: null, name: 'activity' }) },
        async (db) => {
          await upsertActivity(db, written.people)
          await upsertSessionActivity(db, written.sessions)
        },
      )
      for (const [id, at] of written.people) if (people.get(id) === at) people.delete(id)
      for (const [id, at] of written.sessions) if (sessions.get(id) === at) sessions.delete(id)
      if (people.size + sessions.size === 0) this.#seen.delete(organisationId)
    }
  }
}
