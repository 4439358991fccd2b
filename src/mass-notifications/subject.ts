import { useSearchParams } from 'react-router-dom'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { SEVERITY_WORDS } from '#contract/incidents/rules.ts'
import type { Incident, Severity } from '#contract/incidents/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import type { EventLevel } from '#contract/notification-templates/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { useDashboard } from '#src/dashboard/queries.ts'
import { useIncident } from '#src/incidents/queries.ts'

import { BLANK, type Draft } from './queries.ts'

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
