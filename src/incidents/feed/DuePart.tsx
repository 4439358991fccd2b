import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import TimerOffRounded from '@mui/icons-material/TimerOffRounded'
import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import { isTaskOverdue } from '#contract/incidents/rules.ts'
import type { Activity } from '#contract/incidents/schema.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { useDuration } from '#src/playbooks/useDuration.ts'

type Timed = Pick<Activity, 'type' | 'progress' | 'isSkipped' | 'dueTimestamp'>

/** Time left until a task is due, or since. */
export function DuePart({ task, due }: { task: Timed; due: string }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { ofMinutes } = useDuration()
  const now = useNow(MINUTE)
  const isOverdue = isTaskOverdue(task, now)
  const minutes = Math.max(1, Math.ceil(Math.abs(Date.parse(due) - now) / MINUTE))
  const time = ofMinutes(minutes, 'narrow')
  const exact = text('incidents.dueIs', { time: exactTime(locale, Date.parse(due)) })
  return (
    <Box
      component="span"
      title={exact}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        ...(isOverdue && { color: 'error.main', fontWeight: 600 }),
      }}
    >
      {isOverdue ? <TimerOffRounded sx={small} /> : <ScheduleRounded sx={small} />}
      <span aria-hidden>{time}</span>
      <Box component="span" sx={visuallyHidden}>
        {isOverdue ? text('incidents.overdueBy', { time }) : exact}
      </Box>
    </Box>
  )
}
const small = { fontSize: 16 }
