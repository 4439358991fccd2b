import type { QueryClient, QueryKey } from '@tanstack/react-query'

import type { LiveEvent } from '#contract/kit/live.ts'

import { live } from './live.ts'
import { getSession } from './session.ts'

/**
 * Query keys that show a noun, besides `[noun]` itself. A key begins with a noun or the name of a declared
 * resource; after `incidents` follow `list` or the id of one incident.
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
  // Answers to notifications are hints about the incident itself.
  'incident-answers': ({ record, parent }) => {
    const id = parent ?? record
    return [
      ['dashboard', 'asked'],
      ['incidents', 'list'],
      ['incidents', id],
      ['team-status', id],
      ['incident-notifications', id],
    ]
  },
  attachments: ({ parent }) => [
    ['attachments', parent],
    ['incidents', parent],
  ],
  'incident-playbooks': ({ parent }) => [
    ['incidents', parent],
    ['playbooks', 'incident', parent],
    ['playbooks', 'list'],
    ['playbook-use'],
  ],
  'incident-timeline': ({ parent }) => [['incidents', parent, 'timeline']],
  'incident-decisions': ({ parent }) => [
    ['dashboard', 'asked'],
    ['incidents', parent, 'decisions'],
    ['incidents', parent, 'timeline'],
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
  declarations: () => [['settings/declarations']],
  'incident-kinds': () => [['settings/incident-kinds'], ['incident-definitions'], ['incidents']],
  'incident-fields': () => [['settings/incident-fields'], ['incident-definitions']],
  webhooks: () => [['settings/webhooks'], ['webhooks']],
  // Answers change the notification itself, many times in a minute, and neither the quota nor the templates.
  'mass-notifications': ({ verb, record, parent }) =>
    verb === 'changed'
      ? [
          ['mass-notifications', 'getList'],
          ['mass-notifications', 'history', record],
          ['mass-notifications', 'respondents', record],
        ]
      : [['mass-notifications'], ...(parent === null ? [] : [['incident-notifications', parent]])],
  'notification-templates': () => [['notification-templates'], ['mass-notifications/templates']],
  // Other people's read marks change nothing here.
  notifications: ({ verb, record }) =>
    verb === 'read' && record !== getSession().uuid ? [] : [['notifications']],
  // Categories show the number of their playbooks, and deleting a category makes its playbooks Uncategorized.
  playbooks: () => [['playbooks'], ['playbook-categories']],
  'playbook-categories': () => [['playbooks'], ['playbook-categories']],
  // Other editors of a playbook, by the playbook's id.
  'playbook-editors': ({ parent }) => [['playbook-editors', parent]],
  rooms: () => [['rooms'], ['messaging-admin']],
  organisations: () => [['dashboard'], ['config']],
  // Events of the provider's console, by the names of its resources.
  'managed-organisations': () => [['management/organizations']],
  'managed-incidents': () => [['management/incidents']],
  // The page of an organisation's users listens itself: their resource has the organisation's id in its name,
  // which the event lacks.
  'managed-users': () => [],
  staff: () => [['management/staff'], ['staff', 'me']],
  'provider-log': () => [['management/audit-log']],
}
/** The query keys that an event invalidates. */
export const keysOf = (event: LiveEvent): readonly QueryKey[] =>
  SHOWN_IN[event.noun]?.(event) ?? [[event.noun]]

/** Interval at which a burst of events repeats a request. */
const AT_MOST_EVERY_MS = 100

/** Runs `act` at once, then at most once per interval for the same key; the last request is never lost. */
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

/** Invalidates queries by the events of the live socket. Returns a function that stops. */
export function invalidateOnNews(client: QueryClient): () => void {
  const invalidate = coalesce((queryKey) => void client.invalidateQueries({ queryKey }))
  // Configuration of all organisations changes without an event in their streams.
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
