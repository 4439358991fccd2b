import { storage } from '../storage.ts'
import type { Pending } from './timeline.ts'

const PREFIX = 'muster.chat.outbox'
const keyOf = (user: string, clientId: string) => `${PREFIX} ${user} ${clientId}`

/** Messages that are not sent yet, kept in the browser: what somebody sent outlives a closed page, once and in order. */
export const outbox = {
  read(user: string): Pending[] {
    if (!storage.isOpen()) return []
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX} ${user} `))
    return keys
      .map((key) => JSON.parse(storage.read(key) ?? 'null') as Pending | null)
      .filter((pending) => pending !== null)
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
  },
  write: (user: string, pending: Pending): void =>
    storage.write(keyOf(user, pending.clientId), JSON.stringify(pending)),
  remove: (user: string, clientId: string): void => storage.write(keyOf(user, clientId), null),
}
