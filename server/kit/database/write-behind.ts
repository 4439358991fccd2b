import type { Logger } from 'pino'

import type { Database, OrgDb } from './db.ts'

interface Options<Entry> {
  readonly database: Database
  readonly log: Logger
  /** Name for the log. */
  readonly name: string
  /** Milliseconds between flushes. */
  readonly every: number
  /** Writes all pending entries of one organisation. */
  readonly write: (db: OrgDb, entries: ReadonlyMap<string, Entry>) => Promise<void>
  /** The remainder of an entry after an earlier state of it was written; undefined for nothing. */
  readonly left: (now: Entry, written: Entry) => Entry | undefined
}

/**
 * Write-behind cache for per-request counters, flushed every `every` ms. A crash loses at most one interval; stopping
 * flushes everything.
 */
export class WriteBehind<Entry> {
  readonly #entries = new Map<string, Map<string, Entry>>()
  readonly #options: Options<Entry>
  readonly #timer: NodeJS.Timeout
  #writing = Promise.resolve()

  constructor(options: Options<Entry>) {
    this.#options = options
    const { log, name, every } = options
    this.#timer = setInterval(() => {
      this.flush().catch((error: unknown) => log.error(error, name))
    }, every).unref()
  }

  /** Changes or creates an entry. */
  note(organisationId: string, id: string, change: (before: Entry | undefined) => Entry): void {
    const entries = this.#entries.get(organisationId) ?? new Map<string, Entry>()
    this.#entries.set(organisationId, entries)
    entries.set(id, change(entries.get(id)))
  }

  /** The organisation's pending entries. */
  since(organisationId: string): ReadonlyMap<string, Entry> {
    return this.#entries.get(organisationId) ?? new Map()
  }

  /** Writes the pending entries; failed writes are retried with the next flush. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write())
    return this.#writing
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    const { database, name, write, left } = this.#options
    for (const [organisationId, entries] of this.#entries) {
      const written = new Map(entries)
      await database.withOrganisation(
        { organisationId, actor: () => ({ kind: 'system', id: null, name }) },
        (db) => write(db, written),
      )
      for (const [id, entry] of written) {
        const rest = left(entries.get(id)!, entry)
        if (rest === undefined) entries.delete(id)
        else entries.set(id, rest)
      }
      if (entries.size === 0) this.#entries.delete(organisationId)
    }
  }
}
