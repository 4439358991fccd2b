import TimerOffRounded from '@mui/icons-material/TimerOffRounded'
import Chip from '@mui/material/Chip'

import { dueAt, isOverdue } from '#contract/incidents/rules.ts'
import type { IncidentSummary } from '#contract/incidents/schema.ts'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { useText } from '#src/kit/useText.ts'

import { useDuration } from '#src/playbooks/useDuration.ts'

type Props = Pick<
  IncidentSummary,
  'isActive' | 'isTabletop' | 'createTimestamp' | 'estimatedTimeToRecoveryInMinutes'
>

/** Time since the estimate passed; nothing before. */
export function OverdueChip({ incident }: { incident: Props }) {
  const text = useText()
  const { ofMinutes } = useDuration()
  const now = useNow(MINUTE)
  if (!isOverdue(incident, now)) return null
  const minutes = Math.max(1, Math.floor((now - (dueAt(incident) ?? now)) / MINUTE))
  return (
    <Chip
      size="small"
      color={incident.isTabletop ? 'warning' : 'error'}
      icon={<TimerOffRounded />}
      label={text('incidents.overdueBy', { time: ofMinutes(minutes, 'short') })}
    />
  )
}
