import { getSession } from '../session.ts'
import { storage } from '../storage.ts'

/**
 * What the browser keeps of the chat for somebody: unsent messages, what they have begun to write in a room, and messages of
 * whose mentions our server was not told.
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

/** Whether the person has signed out themselves: then nothing of theirs stays in the browser. */
export const hasLeft = (): boolean => getSession().ending === 'left'
export function forgetKept(user: string): void {
  for (const key of KINDS.flatMap((kind) => keysOf(kind, user))) storage.write(key, null)
}
