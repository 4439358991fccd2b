import { getSession } from '../session.ts'
import { storage } from '../storage.ts'

/**
 * Chat data that the browser keeps for a person: unsent messages, drafts by room, and mentions not yet
 * reported to our server.
 */
const KINDS = ['outbox', 'draft', 'mentions'] as const
type Kind = (typeof KINDS)[number]
const prefixOf = (kind: Kind, user: string) => `muster.chat.${kind} ${user} `
export const keptKey = (kind: Kind, user: string, id: string): string => prefixOf(kind, user) + id

const keysOf = (kind: Kind, user: string): string[] => storage.keys(prefixOf(kind, user))
export const keptOf = <T>(kind: Kind, user: string): T[] =>
  keysOf(kind, user)
    .map((key) => JSON.parse(storage.read(key) ?? 'null') as T | null)
    .filter((value) => value !== null)

/** True after the person signed out: nothing of theirs may stay in the browser. */
export const hasLeft = (): boolean => getSession().ending === 'left'
export function forgetKept(user: string): void {
  for (const key of KINDS.flatMap((kind) => keysOf(kind, user))) storage.write(key, null)
}
