import type { QueryClient, QueryKey } from '@tanstack/react-query'

import type { LiveEvent } from '#contract/kit/live.ts'

import { live } from './live.ts'
import { getSession } from './session.ts'

/**
 * Query keys that show a noun, beside `[noun]` itself. The first element of a key is a noun or the name of a declared
 * resource; below `incidents` follow `list` or the id of one incident.
 */
const SHOWN_IN: Readonly<Record<string, (event: LiveEvent) => readonly QueryKey[]>> = {
  incidents: ({ record }) => [
    ['dashboard'],
    ['incidents', 'list'],
    ['incidents', record],
    ['team-status', record],
  ],
  activities: ({ parent }) => [
    ['dashboard', 'asked'],
    ['incidents', 'list'],
    ['incidents', parent],
  ],
  'check-ins': ({ parent }) => [
    ['dashboard', 'asked'],
    ['incidents', 'list'],
    ['incidents', parent],
    ['team-status', parent],
  ],
  attachments: ({ parent }) => [
    ['attachments', parent],
    ['incidents', parent],
  ],
  'incident-playbooks': ({ parent }) => [
    ['incidents', parent],
    ['playbooks', 'incident', parent],
  ],
  users: ({ record }) => [
    ['users'],
    ['user-admin'],
    ['team-status'],
    ['dashboard'],
    ...(record === getSession().uuid ? [['me']] : []),
  ],
  contacts: () => [['contacts'], ['mass-notifications/contacts']],
  'api-keys': () => [['settings/api-keys']],
  'notification-templates': () => [['notification-templates'], ['mass-notifications/templates']],
  // Others' reading is no news.
  notifications: ({ verb, record }) =>
    verb === 'read' && record !== getSession().uuid ? [] : [['notifications']],
  // The categories carry the number of their playbooks, and a playbook is Uncategorized once its category is deleted.
  playbooks: () => [['playbooks'], ['playbook-categories']],
  'playbook-categories': () => [['playbooks'], ['playbook-categories']],
  // Who else has a playbook open, by the playbook.
  'playbook-editors': ({ parent }) => [['playbook-editors', parent]],
  rooms: () => [['rooms'], ['messaging-admin']],
  organisations: () => [['dashboard'], ['config']],
  // Hints of the provider's console, by the names of its resources.
  'managed-organisations': () => [['management/organizations']],
  'managed-incidents': () => [['management/incidents']],
  // The resource of an organisation's users has its id in its name, which no hint has: their page listens itself.
  'managed-users': () => [],
  staff: () => [['management/staff'], ['staff', 'me']],
  'provider-log': () => [['management/audit-log']],
}
/** The keys that an event makes stale. */
export const keysOf = (event: LiveEvent): readonly QueryKey[] =>
  SHOWN_IN[event.noun]?.(event) ?? [[event.noun]]

/** A burst of events asks again at most this often. */
const AT_MOST_EVERY_MS = 100

/** Runs `act` at once, and at most once per interval for the same key after that; the last request is never lost. */
export function coalesce(act: (key: QueryKey) => void): (key: QueryKey) => void {
  const waiting = new Map<string, boolean>()
  const run = (name: string, key: QueryKey) => {
    act(key)
    waiting.set(name, false)
    setTimeout(() => {
      const asked = waiting.get(name)
      waiting.delete(name)
      if (asked) run(name, key)
    }, AT_MOST_EVERY_MS)
  }
  return (key) => {
    const name = JSON.stringify(key)
    if (waiting.has(name)) waiting.set(name, true)
    else run(name, key)
  }
}

/** Makes queries stale as the live socket tells of changes. Answers how to stop. */
export function invalidateOnNews(client: QueryClient): () => void {
  const invalidate = coalesce((queryKey) => void client.invalidateQueries({ queryKey }))
  // A value that is configured for all organisations changes without an event in their streams.
  let wasDown = false
  const unwatch = live.watch(() => {
    if (live.status() === 'open' && wasDown) invalidate(['config'])
    wasDown = live.status() === 'down' || (wasDown && live.status() !== 'open')
  })
  const unlisten = live.listen((news) => {
    if (news.type === 'reset') invalidate([])
    else for (const key of keysOf(news)) invalidate(key)
  })
  return () => {
    unwatch()
    unlisten()
  }
}
