import type { Contact } from '#contract/contacts/schema.ts'
import type {
  NotificationDashboard,
  NotificationDetail,
  NotificationGroup,
  NotifiedPerson,
} from '#contract/mass-notifications/schema.ts'
import type { NotificationTemplate } from '#contract/notification-templates/schema.ts'

import { answer } from './client.tsx'

/** A contact whose phone can be reached. */
export const aContact = (name: string, changes: Partial<Contact> = {}): Contact => {
  const lists = changes.lists ?? ['Suppliers']
  return {
    id: crypto.randomUUID(),
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}@out.example`,
    phone: '+19025550100',
    valid: true,
    list: lists[0]!,
    lists,
    ...changes,
  }
}

export const aNotifiableGroup = (
  name: string,
  changes: Partial<NotificationGroup> = {},
): NotificationGroup => ({
  id: crypto.randomUUID(),
  name,
  userCount: 5,
  userPhoneCount: 5,
  canAccess: true,
  ...changes,
})

export const aTemplate = (
  title: string,
  changes: Partial<NotificationTemplate> = {},
): NotificationTemplate => ({
  id: crypto.randomUUID(),
  title,
  level: 'CRITICAL',
  smsMessage: `${title} by SMS`,
  emailMessage: `${title} by email`,
  updateTimestamp: '2026-01-01T00:00:00.000Z',
  version: 1,
  ...changes,
})

export const aNotifiedPerson = (name: string, changes: Partial<NotifiedPerson> = {}): NotifiedPerson => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@out.example`,
  phone: '+19025550100',
  shqGroupId: null,
  shqGroupName: null,
  lists: ['Suppliers'],
  targeted: false,
  ...changes,
})

/** A notification that was sent to one list. */
export const aNotification = (changes: Partial<NotificationDetail> = {}): NotificationDetail => ({
  id: crypto.randomUUID(),
  title: 'Berth closed',
  emailMessage: 'Berth 2 is closed.',
  smsMessage: 'Use berth 1.',
  types: ['EMAIL', 'SMS'],
  level: 'NORMAL',
  contactListIds: ['Suppliers'],
  contactIds: [],
  groupNames: [],
  createTimestamp: '2026-01-05T10:00:00.000Z',
  createdBy: 'ada@demo.example',
  notifiedCount: 1,
  notifiedUserHistoryData: [aNotifiedPerson('Ana Costa')],
  deliveries: [
    { type: 'EMAIL', sent: 1, waiting: 0, failed: 0 },
    { type: 'SMS', sent: 1, waiting: 0, failed: 0 },
  ],
  ...changes,
})

interface Served {
  readonly quota?: Partial<NotificationDashboard>
  readonly contacts?: readonly Contact[]
  readonly groups?: readonly NotificationGroup[]
  readonly templates?: readonly NotificationTemplate[]
  readonly config?: Readonly<Record<string, unknown>>
}

/** Scripts the requests of the notification pages. The lists are those that the contacts are in. */
export function serveNotifying({ quota, contacts = [], groups = [], templates = [], config }: Served = {}) {
  const counts = new Map<string, number>()
  for (const { lists } of contacts) for (const list of lists) counts.set(list, (counts.get(list) ?? 0) + 1)
  answer('get', '/massNotification', { subscribed: true, remainingEvents: 500, ...quota })
  answer('get', '/massNotification/groups', [...groups])
  answer('get', '/massNotification/templates', [...templates])
  answer('get', '/contact/asList', [...contacts])
  answer(
    'get',
    '/contact/lists',
    [...counts].map(([name, count]) => ({ name, count })),
  )
  answer('get', '/config', { groupsEnabled: true, massNotifsSmsMessageLimit: 100, ...config })
}
