import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { SEVERITY_WORDS } from '#contract/incidents/rules.ts'
import type { Incident, Severity } from '#contract/incidents/schema.ts'
import { cut } from '#contract/kit/cut.ts'
import { LONG_TEXT_MAX, SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { STANDINGS } from '#contract/notification-questions/schema.ts'
import type { EventLevel } from '#contract/notification-templates/schema.ts'
import { call } from '#providers/api.ts'
import { useCan } from '#providers/useCan.ts'
import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { useDashboard } from '#src/dashboard/queries.ts'
import { useIncident } from '#src/incidents/queries.ts'
import { wordsOf } from '#src/kit/rich-text/prose.ts'

import { BLANK, type Draft, type FollowUp, useNotification } from './queries.ts'

/** A running incident that a notification may be about. */
export type NotificationSubject = Pick<Incident, 'id' | 'title' | 'severity' | 'isTabletop'> & {
  /** The people of the incident whom the page was opened for; null where it was not opened from the incident. */
  readonly people: 'WAITING' | 'TEAM' | null
  /** The published situation report that is sent. */
  readonly report?: { readonly number: number; readonly words: string } | null
}

const LEVELS: { readonly [S in Severity]: EventLevel } = {
  LOW: 'LOW',
  MEDIUM: 'NORMAL',
  HIGH: 'CRITICAL',
  CRITICAL: 'CRITICAL',
}

/** A notification to people of an incident, with its subject and level; to its whole team with its address as well. */
export function draftAbout(
  { id, title, severity, isTabletop, people, report }: NotificationSubject,
  smsLimit: number,
): Draft {
  const which = report ? `Situation report no. ${report.number}: ` : ''
  const subject = `${isTabletop ? 'EXERCISE: ' : ''}${which}${title} (${SEVERITY_WORDS[severity]} severity)`
  const draft = {
    ...BLANK,
    title: subject.slice(0, SHORT_TEXT_MAX),
    level: LEVELS[severity],
    waitingIncidentId: id,
    incidentId: id,
  }
  if (people !== 'TEAM') return draft
  const link = `${window.location.origin}/incidents/${id}`
  // An SMS leads with its words; the address is left out where it would take their room.
  const room = smsLimit - link.length - 1
  return {
    ...draft,
    withCheckedIn: true,
    emailMessage: `${report ? cut(report.words, LONG_TEXT_MAX - link.length - 2) : ''}\n\n${link}`,
    smsMessage: room >= subject.length ? `${subject} ${link}` : cut(subject, smsLimit),
  }
}

/** A notification whose people in one state of its question are notified. */
export interface FollowedNotification {
  readonly notification: NotificationDetail
  readonly standing: FollowUp['standing']
}
/** Address of the send page for people of a question. */
export const followUpPath = (id: string, standing: FollowUp['standing']): string =>
  `/mass-notifications/send?${new URLSearchParams({ followUp: id, standing })}`

/** A message to people of a question: its words once more for those who did not answer, and blank for others. */
function draftOf({ notification, standing }: FollowedNotification): Draft {
  const { id, title, level, types, emailMessage, smsMessage, question } = notification
  const draft = {
    ...BLANK,
    title: title ?? '',
    level,
    types: [...types],
    followUp: { notificationId: id, standing },
  }
  if (standing !== 'NOT_REACHED' && standing !== 'NO_ANSWER') return draft
  return {
    ...draft,
    emailMessage: emailMessage ?? '',
    smsMessage: smsMessage ?? '',
    question: question && { kind: question.kind, answers: question.answers },
  }
}
/** Initial values of the form. */
export function firstDraft(
  about: NotificationSubject | null,
  followed: FollowedNotification | null,
  smsLimit: number,
): Draft {
  if (followed) return draftOf(followed)
  return about?.people ? draftAbout(about, smsLimit) : BLANK
}

/** The notification in the address whose people are notified; null for none, undefined while it loads. */
export function useFollowed(): FollowedNotification | null | undefined {
  const [params] = useSearchParams()
  const id = params.get('followUp') ?? ''
  const standing = STANDINGS.find((one) => one === params.get('standing'))
  const { data, isError } = useNotification(id, id !== '')
  if (id === '' || standing === undefined || isError) return null
  return data && (data.question ? { notification: data, standing } : null)
}

/** The published report in the address, with its words; null for none, undefined while it loads. */
function useReport(): NotificationSubject['report'] | undefined {
  const [params] = useSearchParams()
  const id = params.get('report')
  const { data, isError } = useQuery({
    queryKey: ['situation-reports', 'one', id],
    queryFn: async ({ signal }) => {
      const { situationReportsApi } = await import('#contract/situation-reports/api.ts')
      const { number, content } = await call(situationReportsApi.get, { params: { id: id ?? '' }, signal })
      return number === null ? null : { number, words: wordsOf(content) }
    },
    enabled: id !== null,
    // The words were published, and are the beginning of what is typed.
    staleTime: Infinity,
  })
  return id === null || isError ? null : data
}

/** The incident from which the page was opened, or the gravest running one; undefined while it loads. */
export function useSubject(): NotificationSubject | null | undefined {
  const [params] = useSearchParams()
  const can = useCan()
  const team = params.get('about')
  const id = team ?? params.get('incident')
  const { data: chosen, isError } = useIncident(id ?? '', id !== null)
  const report = useReport()
  const { data: dashboard } = useDashboard({ enabled: id === null && can(dashboardApi.get.access) })
  if (id === null) return dashboard?.activeIncident ? { ...dashboard.activeIncident, people: null } : null
  if (report === undefined) return undefined
  if (chosen)
    return chosen.isActive ? { ...chosen, people: team === null ? 'WAITING' : 'TEAM', report } : null
  return isError ? null : undefined
}
