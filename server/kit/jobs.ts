import type { OrgDb } from './db.ts'

/** Work that happens after the call that caused it, at least once, even if the process dies. */
export interface Jobs {
  /** Enqueues in the transaction that causes it: both are committed or neither. */
  enqueue(db: OrgDb, queue: string, data: object): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}
