import { storage } from '../storage.ts'
import { keptKey, keptOf } from './kept.ts'
import type { Pending } from './timeline.ts'

/** Unsent messages, kept in the browser in order, so that they survive a closed page and are sent once. */
export const outbox = {
  read: (user: string): Pending[] =>
    keptOf<Pending>('outbox', user).toSorted((a, b) => a.created_at.localeCompare(b.created_at)),
  write: (user: string, pending: Pending): void =>
    storage.write(keptKey('outbox', user, pending.clientId), JSON.stringify(pending)),
  remove: (user: string, clientId: string): void => storage.write(keptKey('outbox', user, clientId), null),
}
