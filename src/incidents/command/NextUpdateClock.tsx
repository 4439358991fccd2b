import ErrorRounded from '@mui/icons-material/ErrorRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useLocaleState } from 'react-admin'

import type { NextUpdate } from '#contract/incident-roles/schema.ts'
import { command as words } from '#providers/i18n/command.ts'
import { usePeople } from '#providers/people.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { HALF_MINUTE, MINUTE, useNow } from '#src/kit/time/clock.ts'
import { exactTime } from '#src/kit/time/formats.ts'

import { minutesInWords } from './durationWords.ts'

const NextUpdateDialog = lazy(async () => ({
  default: (await import('./NextUpdateDialog.tsx')).NextUpdateDialog,
}))

/** Minutes before the due time from which the clock is amber. */
const SOON = 5

const TONES = {
  calm: { icon: <ScheduleRounded />, color: 'text.primary' },
  soon: { icon: <WarningAmberRounded />, color: 'warning.main' },
  late: { icon: <ErrorRounded />, color: 'error.main' },
} as const

/** Words and tone of a due time. `now` in milliseconds. */
function clockOf(due: number, now: number): { label: string; tone: keyof typeof TONES } {
  // The clock is up to half a minute behind.
  const left = Math.ceil((due - now - HALF_MINUTE) / MINUTE)
  if (left > 0) return { label: words.nextIn(minutesInWords(left)), tone: left < SOON ? 'soon' : 'calm' }
  const late = Math.floor((now - due) / MINUTE)
  return { label: late === 0 ? words.dueNow : words.lateBy(minutesInWords(late)), tone: 'late' }
}

interface Props {
  incidentId: string
  next: NextUpdate
}

/** The time until the next update; a button for those who set it. */
export function NextUpdateClock({ incidentId, next }: Props) {
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const now = useNow(HALF_MINUTE)
  const [isOpen, setOpen] = useState(false)
  const { dueTimestamp, setBy, minutes, canSet } = next
  if (dueTimestamp === null && !canSet) return null
  const due = dueTimestamp === null ? null : Date.parse(dueTimestamp)
  const { label, tone } = due === null ? { label: words.noNext, tone: 'calm' as const } : clockOf(due, now)
  const { icon, color } = TONES[tone]
  const source =
    setBy !== null
      ? words.setBy(nameOf(setBy))
      : minutes > 0
        ? words.rhythm(minutesInWords(minutes))
        : words.noRhythm
  const title = due === null ? source : `${exactTime(locale, due)} · ${source}`
  const sx = {
    color,
    fontWeight: tone === 'calm' ? 400 : 600,
    fontSize: '0.875rem',
    whiteSpace: 'nowrap',
    '& svg': { fontSize: 18 },
  } as const
  if (!canSet)
    return (
      <Box title={title} sx={{ ...sx, display: 'flex', alignItems: 'center', gap: 0.75, py: 0.5 }}>
        {icon}
        {label}
      </Box>
    )
  return (
    <>
      <Button
        size="small"
        color="inherit"
        startIcon={icon}
        title={title}
        onClick={() => setOpen(true)}
        sx={{ ...sx, minHeight: { xs: 44, sm: 32 }, px: 1 }}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <NextUpdateDialog incidentId={incidentId} next={next} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
