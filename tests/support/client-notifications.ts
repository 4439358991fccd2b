import { http, HttpResponse } from 'msw'

import type { Contact } from '#contract/contacts/schema.ts'
import type {
  NotificationDashboard,
  NotificationDetail,
  NotificationGroup,
  NotificationReach,
  NotifiedPerson,
  Recipient,
  Recipients,
} from '#contract/mass-notifications/schema.ts'
import type { NotificationTemplate } from '#contract/notification-templates/schema.ts'

import { answer, API, server } from './client.tsx'

/** A contact with a valid phone number. */
export const aContact = (name: string, changes: Partial<Contact> = {}): Contact => {
  const lists = changes.lists ?? ['Suppliers']
  return {
    id: crypto.randomUUID(),
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}@out.example`,
    phone: '+19025550100',
    valid: true,
    phoneCountry: null,
    phoneExtension: null,
    secondPhone: null,
    secondPhoneCountry: null,
    secondPhoneExtension: null,
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
  isOrdered: false,
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
  question: null,
  escalation: null,
  language: null,
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

/** A person to whom all messages of a notification were sent. */
export const aRecipient = (name: string, changes: Partial<Recipient> = {}): Recipient => ({
  ...aNotifiedPerson(name),
  person: 0,
  outcome: 'SENT',
  messages: [{ type: 'EMAIL', state: 'SENT', problem: null, reason: null, doneTimestamp: null }],
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
  sentCount: 1,
  reachedCount: 0,
  waitingCount: 0,
  notReachedCount: 0,
  isExercise: false,
  isTest: false,
  language: 'en-US',
  incidentId: null,
  approvedBy: null,
  correction: null,
  correctsId: null,
  correctionId: null,
  question: null,
  result: null,
  contactCount: 1,
  memberCount: 0,
  contactNames: [],
  deliveries: [
    { type: 'EMAIL', sent: 1, delivered: 0, waiting: 0, failed: 0 },
    { type: 'SMS', sent: 1, delivered: 0, waiting: 0, failed: 0 },
  ],
  escalation: null,
  inOrderMinutes: null,
  ...changes,
})

interface Served {
  /** Addresses and numbers that are not tried, by type. */
  readonly suppressed?: NotificationReach['suppressed']
  readonly quota?: Partial<NotificationDashboard>
  readonly contacts?: readonly Contact[]
  readonly groups?: readonly NotificationGroup[]
  readonly templates?: readonly NotificationTemplate[]
  readonly config?: Readonly<Record<string, unknown>>
}

/** The requested page of rows that match the search. */
function pageOf(request: Request, rows: readonly object[]): Response {
  const { searchParams } = new URL(request.url)
  const { q = '' } = JSON.parse(searchParams.get('filter') ?? '{}') as { q?: string }
  const words = q.toLowerCase().split(' ')
  const found = rows.filter((row) => words.every((word) => JSON.stringify(row).toLowerCase().includes(word)))
  const [first, last] = JSON.parse(searchParams.get('range') ?? `[0,${rows.length}]`) as [number, number]
  const headers = { 'Content-Range': `items ${first}-${last}/${found.length}` }
  return HttpResponse.json(found.slice(first, last + 1), { headers })
}

/** The contacts that lists and addresses name, with those lists. */
const chosenOf = (
  contacts: readonly Contact[],
  { contactListIds = [], contactIds = [] }: Partial<Recipients>,
) =>
  contacts.flatMap((contact) => {
    const lists = contact.lists.filter((list) => contactListIds.includes(list))
    const targeted = contactIds.includes(contact.email)
    const person = { ...contact, lists, targeted, shqGroupId: null, shqGroupName: null }
    return lists.length > 0 || targeted ? [person] : []
  })

/** Serves the pages of a notification's recipients. */
export const serveRecipients = (id: string, recipients: readonly Recipient[]) =>
  server.use(
    http.get(`${API}/massNotification/history/${id}/recipients`, ({ request }) => {
      const filter = JSON.parse(new URL(request.url).searchParams.get('filter') ?? '{}') as {
        of?: string
        outcome?: string
      }
      const isContact = ({ shqGroupId, targeted, lists }: Recipient) =>
        shqGroupId === null || targeted || lists.length > 0
      const found = recipients.filter(
        (one) =>
          (filter.of === undefined ||
            (filter.of === 'contacts' ? isContact(one) : one.shqGroupId !== null)) &&
          (filter.outcome === undefined || one.outcome === filter.outcome),
      )
      return pageOf(request, found)
    }),
  )

/** Serves the endpoints of the notification pages. The lists follow from the contacts. */
export function serveNotifying({
  quota,
  contacts = [],
  groups = [],
  templates = [],
  config,
  suppressed = { EMAIL: 0, SMS: 0, VOICE_CALL: 0 },
}: Served = {}) {
  const counts = new Map<string, number>()
  for (const { lists } of contacts) for (const list of lists) counts.set(list, (counts.get(list) ?? 0) + 1)
  answer('get', '/massNotification', {
    subscribed: true,
    remainingEvents: 500,
    types: ['EMAIL', 'SMS', 'VOICE_CALL'],
    organisation: 'Tidewater',
    answerLink: 'https://muster.example/answer/1-1-rr-0000000000000',
    takesReplies: false,
    takesKeys: false,
    ...quota,
  })
  answer('get', '/massNotification/groups', [...groups])
  answer('get', '/massNotification/templates', [...templates])
  server.use(
    http.get(`${API}/contact/asList`, ({ request }) => pageOf(request, contacts)),
    http.post(`${API}/massNotification/contacts`, async ({ request }) =>
      pageOf(request, chosenOf(contacts, (await request.json()) as Partial<Recipients>)),
    ),
    http.post(`${API}/massNotification/reach`, async ({ request }) => {
      const given = (await request.json()) as Partial<Recipients>
      const chosen = chosenOf(contacts, given)
      const members = groups.filter(({ id }) => given.groupIds?.includes(id))
      const reach: NotificationReach = {
        contacts: chosen.length,
        doubtful: chosen.filter(({ phone, valid }) => phone !== null && valid !== true).length,
        withoutPhone: chosen.filter(({ phone }) => phone === null).length,
        emails: chosen.length + members.reduce((sum, { userCount }) => sum + userCount, 0),
        phones:
          chosen.filter(({ phone, valid }) => phone !== null && valid !== false).length +
          members.reduce((sum, { userPhoneCount }) => sum + userPhoneCount, 0),
        suppressed,
        waiting: 0,
        waitingPhones: 0,
      }
      return HttpResponse.json(reach)
    }),
  )
  answer(
    'get',
    '/contact/lists',
    [...counts].map(([name, count]) => ({ name, count })),
  )
  answer('get', '/config', { groupsEnabled: true, massNotifsSmsMessageLimit: 100, ...config })
}
