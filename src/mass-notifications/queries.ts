import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'

import { CONFIG } from '#contract/config/catalogue.ts'
import { contactsApi } from '#contract/contacts/api.ts'
import type { Request } from '#contract/kit/endpoint.ts'
import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import { PAGE_MAX } from '#contract/kit/query.ts'
import { type Guard, needsEmail, needsSms, notificationsNeeded } from '#contract/mass-notifications/rules.ts'
import { channelsOf } from '#contract/notification-escalations/rules.ts'
import type { EscalationPlan } from '#contract/notification-escalations/schema.ts'
import { NOTIFICATION_TYPES, type NotificationDashboard } from '#contract/mass-notifications/schema.ts'
import type {
  ChosenContacts,
  NewNotification,
  NotificationDetail,
  NotificationGroup,
  NotificationReach,
  NotificationType,
  NotifiedPerson,
  Recipient,
} from '#contract/mass-notifications/schema.ts'
import type { Standing } from '#contract/notification-questions/schema.ts'
import type { MessageWords } from '#contract/notification-questions/rules.ts'
import type { MessageLanguage } from '#contract/notification-templates/schema.ts'
import { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { useConfigQuery } from '#src/config/useConfig.ts'

/** Seconds between polls while the live socket is down. */
const POLL_SECONDS = 60
/** Milliseconds between polls during delivery: single deliveries send no live events. */
const POLL_DELIVERIES_MS = 3_000
/** Milliseconds between polls of an open question: a hint may be lost with the connection. */
const POLL_ANSWERS_MS = 30_000

/** Default length of an SMS (administration §9). */
const USUAL_SMS_LIMIT = 100

/** The organisation's remaining quota. */
export function useQuota() {
  return useQuery({
    queryKey: ['mass-notifications', 'quota'],
    queryFn: ({ signal }) => call(massNotificationsApi.dashboard, { signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
}

/** One sent notification, with the progress of its messages. */
export function useNotification(id: string, enabled = true) {
  const fallback = useFallbackInterval(POLL_SECONDS)
  return useQuery({
    queryKey: ['mass-notifications', 'history', id],
    queryFn: ({ signal }) =>
      call(massNotificationsApi.get, { params: { id }, query: { populateNotified: 'false' }, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.deliveries.some(({ waiting }) => waiting > 0)) return POLL_DELIVERIES_MS
      return data?.question?.isOpen ? POLL_ANSWERS_MS : fallback
    },
    enabled,
  })
}

/** The templates, by title. */
export const useTemplates = () =>
  useQuery({
    queryKey: ['notification-templates', 'options'],
    queryFn: ({ signal }) => call(notificationTemplatesApi.list, { signal }),
  })

/** The contact lists with their counts. */
export const useContactLists = () =>
  useQuery({
    queryKey: ['contacts', 'lists'],
    queryFn: ({ signal }) => call(contactsApi.lists, { signal }),
  })

/** Contacts offered by one search. */
const OFFERED = 50
/** Contacts whose name, address or phone contains every word, sorted by name. */
export const useFoundContacts = (q: string) =>
  useQuery({
    queryKey: ['contacts', 'found', q],
    queryFn: ({ signal }) => {
      const query = { range: JSON.stringify([0, OFFERED - 1]), filter: JSON.stringify(q ? { q } : {}) }
      return call(contactsApi.asList, { query, signal })
    },
    placeholderData: keepPreviousData,
  })

/** Contacts by their addresses, which are all that a restored draft has. */
export const useNamedContacts = (emails: readonly string[]) =>
  useQuery({
    queryKey: ['contacts', 'named', emails],
    queryFn: ({ signal }) => {
      const query = { range: JSON.stringify([0, PAGE_MAX - 1]) }
      return call(massNotificationsApi.contacts, { query, body: { contactIds: [...emails] }, signal })
    },
    enabled: emails.length > 0,
    placeholderData: keepPreviousData,
  })

/** People loaded by one request. */
export const PEOPLE_PAGE = 100
/** Loads a page of the people in a dialog, filtered by the words of a search. */
export type FindPeople = (
  query: { readonly range: string; readonly filter: string },
  signal: AbortSignal,
) => Promise<readonly (NotifiedPerson | Recipient)[]>
/** The loaded pages of people. */
export const usePeoplePages = (queryKey: readonly unknown[], find: FindPeople, q: string) =>
  useInfiniteQuery({
    queryKey: [...queryKey, q],
    queryFn: ({ pageParam, signal }) => {
      const range = JSON.stringify([pageParam, pageParam + PEOPLE_PAGE - 1])
      return find({ range, filter: JSON.stringify(q ? { q } : {}) }, signal)
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PEOPLE_PAGE ? undefined : pages.length * PEOPLE_PAGE),
    placeholderData: keepPreviousData,
  })

/** Groups that can be notified; none if the organisation does not use groups. */
export const useNotifiableGroups = (enabled: boolean) =>
  useQuery({
    queryKey: ['groups', 'notifiable'],
    queryFn: ({ signal }) => call(massNotificationsApi.groups, { signal }),
    enabled,
  })

export interface NotificationLimits {
  readonly smsLimit: number
  readonly groupsEnabled: boolean
  /** Number of people above which sending is confirmed. */
  readonly confirmAbove: number
  readonly guard: Guard
}
/** The configuration of notifications with its query state: the form waits for it. */
export function useNotificationConfig() {
  const query = useConfigQuery()
  const limits: NotificationLimits | undefined = query.data && {
    smsLimit: query.data.massNotifsSmsMessageLimit ?? USUAL_SMS_LIMIT,
    groupsEnabled: query.data.groupsEnabled ?? false,
    confirmAbove: query.data.massNotifsConfirmAbove ?? CONFIG.massNotifsConfirmAbove.default,
    guard: {
      massNotifsApprovalAbove: query.data.massNotifsApprovalAbove ?? 0,
      massNotifsApprovalOfCritical: query.data.massNotifsApprovalOfCritical ?? false,
    },
  }
  return { query, limits }
}

/** Types that this installation sends; all of them until known. */
export const useOfferedTypes = (): readonly NotificationType[] => useQuota().data?.types ?? NOTIFICATION_TYPES

/** Finds the contacts of a draft without duplicates. */
export const findContacts =
  (body: ChosenContacts): FindPeople =>
  (query, signal) =>
    call(massNotificationsApi.contacts, { query, body, signal })
/** Finds the active members of groups, each under their first group. */
export const findMembers =
  (groupIds: readonly string[]): FindPeople =>
  (query, signal) =>
    call(massNotificationsApi.members, { query, body: { groupIds: [...groupIds] }, signal })

export type RecipientFilter = Partial<Pick<Recipient, 'outcome'>> & { readonly of?: 'contacts' | 'members' }
/** Finds the recipients of a notification, unreached ones first. */
export const findRecipients =
  (id: string, only: RecipientFilter): FindPeople =>
  ({ range, filter }, signal) => {
    const both = JSON.stringify({ ...(JSON.parse(filter) as object), ...only })
    return call(massNotificationsApi.recipients, { params: { id }, query: { range, filter: both }, signal })
  }

/** Outcomes of people without any message. */
export type MissedOutcome = Extract<Recipient['outcome'], 'NOT_REACHED' | 'WAITING'>
/** People per outcome on the page of a notification. */
const MISSED_SHOWN = 5
/** The first people without any message, refetched when their number changes. */
export const useMissed = (id: string, outcome: MissedOutcome, count: number) =>
  useQuery({
    queryKey: ['mass-notifications', 'recipients', id, outcome, count, 'first'],
    queryFn: ({ signal }) =>
      call(massNotificationsApi.recipients, {
        params: { id },
        query: { range: JSON.stringify([0, MISSED_SHOWN - 1]), filter: JSON.stringify({ outcome }) },
        signal,
      }),
    enabled: count > 0,
    placeholderData: keepPreviousData,
  })

/** The messages to one recipient with their attempts. */
export const usePersonMessages = (id: string, person: number) =>
  useQuery({
    queryKey: ['mass-notifications', 'messages', id, person],
    queryFn: ({ signal }) =>
      call(massNotificationsApi.personMessages, { params: { id, person: String(person) }, signal }),
  })

/** Words around a message in its language; the organisation's without one. */
export const wordsAround = (
  quota: NotificationDashboard | undefined,
  { language }: Pick<Draft, 'language'>,
): MessageWords | undefined => (language && quota?.wordsIn?.[language.slice(0, 2)]) || quota?.words

/** Values of the form. */
export interface Draft extends Pick<
  NewNotification,
  'types' | 'level' | 'contactListIds' | 'contactIds' | 'groupIds' | 'question'
> {
  escalation: EscalationPlan | null
  /** Language of the message; null for the organisation's. */
  language: MessageLanguage | null
  /** Minutes until the next member of the group is asked; null unless in order. */
  inOrderMinutes: number | null
  title: string
  emailMessage: string
  smsMessage: string
  /** The incident whose people who have not checked in are notified; null for none. */
  waitingIncidentId: string | null
  /** Includes the people of that incident who have checked in. */
  withCheckedIn: boolean
  /** People of an earlier notification who are notified; null for none. */
  followUp: FollowUp | null
  /** The incident that the notification is about; null for none. */
  incidentId: string | null
  /** A correction that is prepared; empty for none. */
  correction: string
}
export type FollowUp = NonNullable<NewNotification['followUp']>
/** Initial values of the form (administration §4 "Send screen"). */
export const BLANK: Draft = {
  title: '',
  emailMessage: '',
  smsMessage: '',
  types: ['EMAIL', 'SMS'],
  level: 'NORMAL',
  contactListIds: [],
  contactIds: [],
  groupIds: [],
  waitingIncidentId: null,
  withCheckedIn: false,
  followUp: null,
  incidentId: null,
  correction: '',
  question: null,
  escalation: null,
  language: null,
  inOrderMinutes: null,
}
type Body = NonNullable<Request<typeof massNotificationsApi.send>['body']>

/** The chosen types, and those of the escalation. */
export const allTypesOf = ({ types, question, escalation }: Draft): NotificationType[] => [
  ...new Set([...types, ...channelsOf(question && escalation)]),
]

/** Body of the request: texts of types that are not chosen are dropped. */
export const bodyOf = ({
  title,
  emailMessage,
  smsMessage,
  waitingIncidentId,
  withCheckedIn,
  followUp,
  incidentId,
  correction,
  question,
  escalation,
  language,
  inOrderMinutes,
  ...rest
}: Draft): Body => {
  const types = allTypesOf({ ...BLANK, types: rest.types, question, escalation: escalation ?? null })
  return {
    ...rest,
    ...(question && escalation && { escalation }),
    ...(language && { language }),
    // Drafts of earlier releases lack it.
    ...(inOrderMinutes !== null && inOrderMinutes !== undefined && { inOrderMinutes }),
    ...(incidentId && { incidentId }),
    ...(correction && { correction }),
    ...(question && { question }),
    ...(followUp && { followUp }),
    ...(waitingIncidentId !== null && { waitingIncidentId, withCheckedIn }),
    title: needsEmail(types) ? title : null,
    emailMessage: needsEmail(types) ? emailMessage : null,
    smsMessage: needsSms(types) ? smsMessage : null,
  }
}

/** Expected recipients of a draft, as far as loaded. */
export interface Reach {
  readonly contactCount: number
  readonly memberCount: number
  /** People who have not checked in to the chosen incident, and people who are followed up. */
  readonly waitingCount: number
  /** True if some of them may be the same person. */
  readonly atMost: boolean
  /** Notifications taken from the quota. */
  readonly needed: number
  /** Contacts whose phone is pending validation or has failed it. */
  readonly doubtful: number
  readonly withoutPhone: number
  /** Groups with users who have no valid phone. */
  readonly lacking: readonly NotificationGroup[]
  /** Prices of one SMS and of one call to each of them; undefined without a price list. */
  readonly prices: NotificationReach['prices']
  /** Number of messages per type; undefined until the server has counted them. */
  readonly messages: { readonly [T in NotificationType]: number } | undefined
  /** Messages of the chosen types that are not tried, because their address has unsubscribed or does not exist. */
  readonly suppressed: number
}

type Choice = Pick<
  Draft,
  'types' | 'contactListIds' | 'contactIds' | 'groupIds' | 'waitingIncidentId' | 'withCheckedIn' | 'followUp'
>
/** Counts the recipients of a draft like the server. */
export function useReach({
  types,
  contactListIds,
  contactIds,
  groupIds,
  waitingIncidentId,
  withCheckedIn,
  followUp,
}: Choice): Reach {
  const hasWaiting = waitingIncidentId !== null || Boolean(followUp)
  const { data: lists } = useContactLists()
  const { data: groups } = useNotifiableGroups(groupIds.length > 0)
  const { data: counted } = useQuery({
    queryKey: [
      'contacts',
      'reach',
      contactListIds,
      contactIds,
      groupIds,
      waitingIncidentId,
      withCheckedIn,
      followUp,
    ],
    queryFn: ({ signal }) =>
      call(massNotificationsApi.reach, {
        body: {
          contactListIds,
          contactIds,
          groupIds,
          ...(waitingIncidentId && { waitingIncidentId, withCheckedIn }),
          ...(followUp && { followUp }),
        },
        signal,
      }),
    enabled: contactListIds.length + contactIds.length + groupIds.length > 0 || hasWaiting,
  })
  return useMemo(() => {
    // Until the server has counted, people in several lists are counted for each.
    const inLists = (lists ?? []).filter(({ name }) => contactListIds.includes(name))
    const guessed = inLists.reduce((sum, { count }) => sum + count, contactIds.length)
    const contactCount = counted?.contacts ?? guessed
    const chosen = (groups ?? []).filter(({ id }) => groupIds.includes(id))
    const waiting = waitingIn(counted)
    const counts = hasWaiting ? [...chosen, waiting] : chosen
    return {
      contactCount,
      waitingCount: waiting.userCount,
      memberCount: chosen.reduce((sum, { userCount }) => sum + userCount, 0),
      atMost: counts.length > 1 || (counts.length === 1 && contactCount > 0) || (!counted && guessed > 1),
      needed: notificationsNeeded(contactCount, counts, types),
      prices: counted?.prices,
      messages: counted && { EMAIL: counted.emails, SMS: counted.phones, VOICE_CALL: counted.phones },
      suppressed: types.reduce((sum, type) => sum + (counted?.suppressed[type] ?? 0), 0),
      ...(needsSms(types) ? withoutPhones(chosen, counted) : withoutPhones([])),
    }
  }, [types, contactListIds, contactIds, groupIds, hasWaiting, lists, groups, counted])
}

/** People who have not checked in, counted like a group. */
const waitingIn = ({ waiting = 0, waitingPhones = 0 }: Partial<NotificationReach> = {}) => ({
  userCount: waiting,
  userPhoneCount: waitingPhones,
})

/** People whom SMS and calls may not reach. */
const withoutPhones = (
  groups: readonly NotificationGroup[],
  { doubtful = 0, withoutPhone = 0 }: Partial<NotificationReach> = {},
): Pick<Reach, 'doubtful' | 'withoutPhone' | 'lacking'> => ({
  doubtful,
  withoutPhone,
  lacking: groups.filter(({ userCount, userPhoneCount }) => userPhoneCount < userCount),
})

/**
 * Sends a notification. A draft that got no answer is retried with the same idempotency key, so that people
 * are notified once. Without a network it fails at once, so that nothing is sent later unexpectedly.
 */
export function useSend() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (draft: Draft): Promise<NotificationDetail> =>
      call(massNotificationsApi.send, { query: { populateNotified: 'false' }, body: bodyOf(draft) }),
    networkMode: 'always',
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['mass-notifications'] })
    },
  })
}

/** Narrows the people of a question. */
export interface RespondentFilter {
  readonly standing?: Standing
  /** Index of the answer that counts. */
  readonly answer?: number
  readonly q?: string
}
/** The loaded pages of the people of a question, those first who call for attention. */
export const useRespondents = (id: string, filter: RespondentFilter) =>
  useInfiniteQuery({
    queryKey: ['mass-notifications', 'respondents', id, filter],
    queryFn: ({ pageParam, signal }) =>
      call(massNotificationsApi.respondents, {
        params: { id },
        query: {
          range: JSON.stringify([pageParam, pageParam + PEOPLE_PAGE - 1]),
          filter: JSON.stringify(filter),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PEOPLE_PAGE ? undefined : pages.length * PEOPLE_PAGE),
    placeholderData: keepPreviousData,
  })

/** A change of a sent notification, after which all about it is fetched again. */
function useNotificationAct<Input, Reply>(act: (input: Input) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSettled: () => client.invalidateQueries({ queryKey: ['mass-notifications'] }),
  })
}
/** Enters the answer of a person for them. */
export const useAnswerOnBehalf = (id: string) =>
  useNotificationAct((body: NonNullable<Request<typeof massNotificationsApi.answerOnBehalf>['body']>) =>
    call(massNotificationsApi.answerOnBehalf, { params: { id }, body }),
  )
export const useCloseQuestion = (id: string) =>
  useNotificationAct<void, unknown>(() => call(massNotificationsApi.closeQuestion, { params: { id } }))
/** Cancels the messages that wait. */
export const useCancelWaiting = (id: string) =>
  useNotificationAct<void, { cancelled: number }>(() => call(massNotificationsApi.cancel, { params: { id } }))
/** Sends a correction to the people of a notification. */
export const useCorrect = (id: string) =>
  useNotificationAct((text: string) =>
    call(massNotificationsApi.correct, {
      params: { id },
      query: { populateNotified: 'false' },
      body: { text },
    }),
  )
