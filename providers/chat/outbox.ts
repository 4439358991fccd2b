import { storage } from '../storage.ts'
import { keptKey, keptOf } from './kept.ts'
import type { Pending } from './timeline.ts'

/** Messages that are not sent yet, kept in the browser: what somebody sent outlives a closed page, once and in order. */
export const outbox = {
  read: (user: string): Pending[] =>
    keptOf<Pending>('outbox', user).toSorted((a, b) => a.created_at.localeCompare(b.created_at)),
  write: (user: string, pending: Pending): void =>
    storage.write(keptKey('outbox', user, pending.clientId), JSON.stringify(pending)),
  remove: (user: string, clientId: string): void => storage.write(keptKey('outbox', user, clientId), null),
}
