import * as z from 'zod/mini'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { BODY_LIMIT_LISTS, BODY_LIMIT_TEXTS, defineApi, download, list } from '#contract/kit/endpoint.ts'
import { listQuery, truth, wholeNumber } from '#contract/kit/query.ts'
import { ById, id, listOf, nothing, text } from '#contract/kit/text.ts'

import { groupMembersAccess, massNotificationsAccess as access } from './access.ts'
import { Escalation } from '#contract/notification-escalations/schema.ts'
import { Standing } from '#contract/notification-questions/schema.ts'
import {
  AnswerOnBehalf,
  ChosenContacts,
  Correction,
  IncidentNotification,
  NewNotification,
  NotificationDashboard,
  NotificationDetail,
  NotificationGroup,
  NotificationReach,
  NotifiedPerson,
  PersonMessage,
  Recipient,
  RECIPIENT_OUTCOMES,
  Recipients,
  RECIPIENTS_MAX,
  Respondent,
  SentNotification,
} from './schema.ts'

/** Notifications in a page of those about an incident. */
const INCIDENT_NOTIFICATIONS_MAX = 20
export const NOTIFICATION_SORT_FIELDS = ['createTimestamp', 'level', 'notifiedCount', 'title'] as const

/** Pages of people; each endpoint defines the order. */
const peopleQuery = listQuery(
  ['name'],
  z.object({
    /** Every word has to occur in the name, address or phone number. */
    q: z.optional(text()),
  }),
)

/** Greatest number of a person, an integer of the database. */
const PERSON_MAX = 2_147_483_647

const populated = z.object({
  /** False leaves out `notifiedUserHistoryData`, which may hold thousands of people. */
  populateNotified: z._default(truth, true),
})
const recipientFilter = {
  /** Every word has to occur in the name, address or phone number. */
  q: z.optional(text()),
  of: z.optional(z.enum(['contacts', 'members'])),
  outcome: z.optional(z.enum(RECIPIENT_OUTCOMES)),
}

/** Email, SMS and automated voice to many people at once (administration §7.4). */
export const massNotificationsApi = defineApi({
  dashboard: {
    method: 'GET',
    path: '/massNotification',
    access,
    summary: 'What the organisation may still send.',
    reply: NotificationDashboard,
  },
  send: {
    method: 'POST',
    path: '/massNotification',
    access,
    summary:
      'Notifies everybody who is in the contact lists and groups, and the contacts that are named: each person once for each type.',
    query: populated,
    body: NewNotification,
    bodyLimit: BODY_LIMIT_LISTS,
    limit: 'broadcasts',
    reply: NotificationDetail,
    status: 201,
    errors: {
      403: 'The organisation is not subscribed to mass notifications.',
      409: 'More notifications would be needed than remain, or a second person has to approve it (`approval_required`): nothing is sent.',
    },
  },
  groups: {
    method: 'GET',
    path: '/massNotification/groups',
    access,
    summary: 'The groups that can be notified, by name. None where the organisation has no groups.',
    reply: z.array(NotificationGroup),
  },
  members: {
    method: 'POST',
    path: '/massNotification/groups/members',
    access: groupMembersAccess,
    repeatable: true,
    summary:
      'Whom a notification to these groups would reach: their active members, each once, below the first of their groups. All of them, or a page.',
    query: peopleQuery,
    body: z.object({ groupIds: listOf(id, RECIPIENTS_MAX) }),
    bodyLimit: BODY_LIMIT_LISTS,
    limit: 'by query',
    reply: list(NotifiedPerson),
  },
  contacts: {
    method: 'POST',
    path: '/massNotification/contacts',
    access,
    repeatable: true,
    summary:
      'Which contacts a notification to these lists and addresses would be for, each once, by name, with those lists. All of them, or a page.',
    query: peopleQuery,
    body: ChosenContacts,
    bodyLimit: BODY_LIMIT_LISTS,
    limit: 'by query',
    reply: list(NotifiedPerson),
  },
  reach: {
    method: 'POST',
    path: '/massNotification/reach',
    access,
    repeatable: true,
    summary:
      'How many people a notification would reach, and how many it may not. What does not exist reaches nobody.',
    body: Recipients,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: NotificationReach,
  },
  list: {
    method: 'GET',
    path: '/massNotification/history',
    access,
    summary: 'What was sent, newest first. A page leaves out who was notified; the whole list has it.',
    query: listQuery(
      NOTIFICATION_SORT_FIELDS,
      z.object({
        /** Part of the subject or a message. */
        q: z.optional(text()),
      }),
    ),
    limit: 'by query',
    reply: list(SentNotification),
  },
  get: {
    method: 'GET',
    path: '/massNotification/history/:id',
    access,
    summary: 'One notification that was sent, with who was notified and how far its messages have come.',
    params: ById,
    query: populated,
    reply: NotificationDetail,
  },
  recipients: {
    method: 'GET',
    path: '/massNotification/history/:id/recipients',
    access,
    summary:
      'Whom a notification was for, and what became of its messages to each: first those whom nothing reached. All of them, or a page.',
    params: ById,
    query: listQuery(['outcome'], z.object(recipientFilter)),
    limit: 'by query',
    reply: list(Recipient),
  },
  personMessages: {
    method: 'GET',
    path: '/massNotification/history/:id/recipients/:person',
    access,
    summary:
      'The messages to one recipient: when they were handed to which carrier, and what became of them.',
    params: z.extend(ById, { person: z.coerce.number().check(z.int(), z.gte(0), z.lte(PERSON_MAX)) }),
    reply: z.array(PersonMessage),
  },
  recipientsFile: {
    method: 'GET',
    path: '/massNotification/history/:id/recipients.csv',
    access,
    summary: 'The same as a file, with the answers where there is a question.',
    params: ById,
    limit: 'documents',
    reply: download('text/csv; charset=utf-8'),
  },
  respondents: {
    method: 'GET',
    path: '/massNotification/history/:id/respondents',
    access,
    summary:
      'The people of a question and what they answered: first those who call for attention, then those who were not reached, then those without an answer. All of them, or a page.',
    params: ById,
    query: listQuery(
      ['standing'],
      z.object({
        /** Every word has to occur in the name, address or phone number. */
        q: z.optional(text()),
        standing: z.optional(Standing),
        /** Index of the answer that counts. */
        answer: z.optional(z.int()),
      }),
    ),
    limit: 'by query',
    reply: list(Respondent),
  },
  answerOnBehalf: {
    method: 'POST',
    path: '/massNotification/history/:id/answers',
    access,
    summary: 'Enters the answer of a person who told it in another way. It counts until a newer one.',
    params: ById,
    body: AnswerOnBehalf,
    reply: nothing,
    status: 204,
    errors: { 409: 'The question is closed, or there is none.' },
  },
  closeQuestion: {
    method: 'POST',
    path: '/massNotification/history/:id/close',
    access,
    summary: 'Closes the question: it takes no more answers.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: 'There is no question.' },
  },
  escalation: {
    method: 'GET',
    path: '/massNotification/history/:id/escalation',
    access,
    summary: 'What comes next in the escalation of a notification, and what was done. Null without one.',
    params: ById,
    reply: z.nullable(Escalation),
  },
  stopEscalation: {
    method: 'POST',
    path: '/massNotification/history/:id/escalation/stop',
    access,
    summary: 'Stops the escalation: nobody is asked again. The question stays open.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: 'There is no escalation.' },
  },
  correct: {
    method: 'POST',
    path: '/massNotification/history/:id/correction',
    access,
    summary: 'Sends a correction to those whom the notification was sent to, by the same types.',
    params: ById,
    query: populated,
    body: Correction,
    bodyLimit: BODY_LIMIT_TEXTS,
    limit: 'broadcasts',
    reply: NotificationDetail,
    status: 201,
    errors: {
      403: 'The organisation is not subscribed to mass notifications.',
      409: 'More notifications would be needed than remain: nothing is sent.',
    },
  },
  aboutIncident: {
    method: 'GET',
    path: '/incident/:id/massNotification',
    access: incidentsAccess.read,
    summary:
      'The notifications about an incident, newest first, with the answers so far. External people see none.',
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(INCIDENT_NOTIFICATIONS_MAX, 1, INCIDENT_NOTIFICATIONS_MAX),
    }),
    reply: z.object({ data: z.array(IncidentNotification), total: z.int() }),
  },
  cancel: {
    method: 'POST',
    path: '/massNotification/history/:id/cancel',
    access,
    summary: 'Cancels the messages that still wait. Answers how many.',
    params: ById,
    reply: z.object({ cancelled: z.int() }),
  },
})
