import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { contactsApi } from '#contract/contacts/api.ts'
import type { Request } from '#contract/kit/endpoint.ts'
import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import {
  isPhoneDoubtful,
  needsEmail,
  needsSms,
  notificationsNeeded,
  notifiedContacts,
} from '#contract/mass-notifications/rules.ts'
import type {
  NewNotification,
  NotificationDetail,
  NotificationGroup,
  NotifiedPerson,
} from '#contract/mass-notifications/schema.ts'
import { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'
import { useConfigQuery } from '#src/shared/useConfig.ts'

/** Seconds between two questions while the live socket is down. */
const POLL_SECONDS = 60
/** Interval while messages are being delivered: the socket publishes no single deliveries. */
const POLL_DELIVERIES_MS = 3_000

/** Characters of an SMS where the configuration says nothing else (administration §9). */
const USUAL_SMS_LIMIT = 100

/** What the organisation may still send. */
export function useQuota() {
  return useQuery({
    queryKey: ['mass-notifications', 'quota'],
    queryFn: ({ signal }) => call(massNotificationsApi.dashboard, { signal }),
    refetchInterval: useFallbackInterval(POLL_SECONDS),
  })
}

/** One notification that was sent, with how far its messages have come. */
export function useNotification(id: string) {
  const fallback = useFallbackInterval(POLL_SECONDS)
  return useQuery({
    queryKey: ['mass-notifications', 'history', id],
    queryFn: ({ signal }) => call(massNotificationsApi.get, { params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ waiting }) => waiting > 0) ? POLL_DELIVERIES_MS : fallback,
  })
}

/** The templates, by title. */
export const useTemplates = () =>
  useQuery({
    queryKey: ['notification-templates', 'options'],
    queryFn: ({ signal }) => call(notificationTemplatesApi.list, { signal }),
  })

/** The contact lists with how many are in each. */
export const useContactLists = () =>
  useQuery({
    queryKey: ['contacts', 'lists'],
    queryFn: ({ signal }) => call(contactsApi.lists, { signal }),
  })

/** All contacts, each once. */
export const useContacts = () =>
  useQuery({
    queryKey: ['contacts', 'asList'],
    queryFn: ({ signal }) => call(contactsApi.asList, { signal }),
  })

/** The groups that can be notified; none where the organisation has no groups. */
export const useNotifiableGroups = (enabled: boolean) =>
  useQuery({
    queryKey: ['groups', 'notifiable'],
    queryFn: ({ signal }) => call(massNotificationsApi.groups, { signal }),
    enabled,
  })

export interface NotificationLimits {
  readonly smsLimit: number
  readonly groupsEnabled: boolean
}
/** The configuration of notifications, in a query: nothing is written before it is known. */
export function useNotificationConfig() {
  const query = useConfigQuery()
  const limits: NotificationLimits | undefined = query.data && {
    smsLimit: query.data.massNotifsSmsMessageLimit ?? USUAL_SMS_LIMIT,
    groupsEnabled: query.data.groupsEnabled ?? false,
  }
  return { query, limits }
}

/** The active members of groups, each below their first group; asked for while somebody looks at them. */
export const useGroupMembers = (groupIds: readonly string[]) =>
  useQuery({
    queryKey: ['groups', 'notified', groupIds],
    queryFn: ({ signal }) =>
      call(massNotificationsApi.members, { body: { groupIds: [...groupIds] }, signal }),
  })

/** What the form holds. */
export interface Draft extends Pick<
  NewNotification,
  'types' | 'level' | 'contactListIds' | 'contactIds' | 'groupIds'
> {
  title: string
  emailMessage: string
  smsMessage: string
}
/** How the form begins (administration §4 "Send screen"). */
export const BLANK: Draft = {
  title: '',
  emailMessage: '',
  smsMessage: '',
  types: ['EMAIL', 'SMS'],
  level: 'NORMAL',
  contactListIds: [],
  contactIds: [],
  groupIds: [],
}
type Body = NonNullable<Request<typeof massNotificationsApi.send>['body']>

/** What is sent of it: the words of a type that is not chosen stay behind. */
export const bodyOf = ({ title, emailMessage, smsMessage, ...rest }: Draft): Body => ({
  ...rest,
  title: needsEmail(rest.types) ? title : null,
  emailMessage: needsEmail(rest.types) ? emailMessage : null,
  smsMessage: needsSms(rest.types) ? smsMessage : null,
})

/** Whom a draft would notify, as far as it is known by now. */
export interface Reach {
  /** Undefined until the contacts are known. */
  readonly contacts: readonly NotifiedPerson[] | undefined
  readonly contactCount: number
  readonly memberCount: number
  /** Whether some of them may be the same person. */
  readonly atMost: boolean
  /** Notifications that it takes. */
  readonly needed: number
  /** Contacts whose phone is pending validation or has failed it. */
  readonly doubtful: number
  readonly withoutPhone: number
  /** Groups with users who have no valid phone. */
  readonly lacking: readonly NotificationGroup[]
}

type Recipients = Pick<Draft, 'types' | 'contactListIds' | 'contactIds' | 'groupIds'>
/** Works out whom a draft would notify. The server has the last word. */
export function useReach({ types, contactListIds, contactIds, groupIds }: Recipients): Reach {
  const { data: all } = useContacts()
  const { data: lists } = useContactLists()
  const { data: groups } = useNotifiableGroups(groupIds.length > 0)
  const reached = useMemo(
    () => all && notifiedContacts(all, { contactListIds, contactIds }),
    [all, contactListIds, contactIds],
  )
  const contacts = useMemo(
    () =>
      reached?.map(({ contact: { name, email, phone }, lists: via, targeted }): NotifiedPerson => ({
        name,
        email,
        phone,
        shqGroupId: null,
        shqGroupName: null,
        lists: [...via],
        targeted,
      })),
    [reached],
  )
  return useMemo(() => {
    // Until it is known who is in several lists, nobody is.
    const counted = (lists ?? []).filter(({ name }) => contactListIds.includes(name))
    const guessed = counted.reduce((sum, { count }) => sum + count, contactIds.length)
    const contactCount = reached?.length ?? guessed
    const chosen = (groups ?? []).filter(({ id }) => groupIds.includes(id))
    const phones = needsSms(types) ? (reached ?? []).map(({ contact }) => contact) : []
    return {
      contacts,
      contactCount,
      memberCount: chosen.reduce((sum, { userCount }) => sum + userCount, 0),
      atMost: chosen.length > 1 || (chosen.length === 1 && contactCount > 0) || (!reached && guessed > 1),
      needed: notificationsNeeded(contactCount, chosen, types),
      doubtful: phones.filter(isPhoneDoubtful).length,
      withoutPhone: phones.filter(({ phone }) => phone === null).length,
      lacking: needsSms(types)
        ? chosen.filter(({ userCount, userPhoneCount }) => userPhoneCount < userCount)
        : [],
    }
  }, [types, contactListIds, contactIds, groupIds, lists, groups, reached, contacts])
}

/**
 * Sends a notification. A draft that got no answer and is sent again carries the same idempotency key, so that people are
 * notified once. Without a network it fails at once: nothing is sent later, when nobody expects it.
 */
export function useSend() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (draft: Draft): Promise<NotificationDetail> =>
      call(massNotificationsApi.send, { body: bodyOf(draft) }),
    networkMode: 'always',
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['mass-notifications'] })
    },
  })
}
