import { useSearchParams } from 'react-router-dom'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { SEVERITY_WORDS } from '#contract/incidents/rules.ts'
import type { Incident, Severity } from '#contract/incidents/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { STANDINGS } from '#contract/notification-questions/schema.ts'
import type { EventLevel } from '#contract/notification-templates/schema.ts'
import { useCan } from '#providers/useCan.ts'
import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { useDashboard } from '#src/dashboard/queries.ts'
import { useIncident } from '#src/incidents/queries.ts'

import { BLANK, type Draft, type FollowUp, useNotification } from './queries.ts'

/** A running incident that a notification may be about. */
export type NotificationSubject = Pick<Incident, 'id' | 'title' | 'severity' | 'isTabletop'> & {
  /** True where the page was opened from the incident. */
  readonly isChosen: boolean
}

const LEVELS: { readonly [S in Severity]: EventLevel } = {
  LOW: 'LOW',
  MEDIUM: 'NORMAL',
  HIGH: 'CRITICAL',
  CRITICAL: 'CRITICAL',
}

/** A notification to those who have not checked in, with the subject and level of their incident. */
export const draftAbout = ({ id, title, severity, isTabletop }: NotificationSubject): Draft => ({
  ...BLANK,
  title: `${isTabletop ? 'EXERCISE: ' : ''}${title} (${SEVERITY_WORDS[severity]} severity)`.slice(
    0,
    SHORT_TEXT_MAX,
  ),
  level: LEVELS[severity],
  waitingIncidentId: id,
})

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
export function firstDraft(about: NotificationSubject | null, followed: FollowedNotification | null): Draft {
  if (followed) return draftOf(followed)
  return about?.isChosen ? draftAbout(about) : BLANK
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

/** The incident from which the page was opened, or the gravest running one; undefined while it loads. */
export function useSubject(): NotificationSubject | null | undefined {
  const [params] = useSearchParams()
  const can = useCan()
  const id = params.get('incident')
  const { data: chosen, isError } = useIncident(id ?? '', id !== null)
  const { data: dashboard } = useDashboard({ enabled: id === null && can(dashboardApi.get.access) })
  if (id === null) return dashboard?.activeIncident ? { ...dashboard.activeIncident, isChosen: false } : null
  if (chosen) return chosen.isActive ? { ...chosen, isChosen: true } : null
  return isError ? null : undefined
}
