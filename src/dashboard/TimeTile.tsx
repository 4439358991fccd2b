import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { SECOND, useNow } from '#src/kit/time/clock.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Tile } from './Tile.tsx'

/** Splits a duration into the units of a clock. */
export function partsOf(seconds: number): { days: number; hours: number; minutes: number; seconds: number } {
  const whole = Math.max(0, Math.floor(seconds))
  return {
    days: Math.floor(whole / 86_400),
    hours: Math.floor(whole / 3_600) % 24,
    minutes: Math.floor(whole / 60) % 60,
    seconds: whole % 60,
  }
}

function Part({ value, unit }: { value: string; unit: string }) {
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      <Box
        component="span"
        sx={{
          fontSize: { xs: '1.5rem', sm: '2rem' },
          fontWeight: 600,
          lineHeight: 1.25,
          letterSpacing: '-0.01em',
        }}
      >
        {value}
      </Box>{' '}
      <Box component="span" sx={{ fontSize: '0.875rem', color: 'text.secondary' }}>
        {unit}
      </Box>
    </Box>
  )
}

function Counter({ since }: { since: number }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { days, hours, minutes, seconds } = partsOf((useNow(SECOND) - since) / SECOND)
  const two = (value: number) => String(value).padStart(2, '0')
  return (
    <Box role="timer" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: { xs: 1.5, sm: 2 } }}>
      {days > 0 && (
        <Part value={formatNumber(locale, days)} unit={text('dashboard.days', { smart_count: days })} />
      )}
      <Part value={two(hours)} unit={text('dashboard.hours')} />
      <Part value={two(minutes)} unit={text('dashboard.minutes')} />
      <Part value={two(seconds)} unit={text('dashboard.seconds')} />
    </Box>
  )
}

/** Duration of the current incident, or since the last one. */
export function TimeTile({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const { secondsInIncident, secondsIncidentFree, timestamp } = dashboard
  const passed = secondsInIncident ?? secondsIncidentFree ?? 0
  // Rounded down to whole seconds like the ticks; otherwise the counter would start one short.
  const asked = Math.floor(Date.parse(timestamp) / SECOND)
  return (
    <Tile
      label={text(secondsInIncident === null ? 'dashboard.timeIncidentFree' : 'dashboard.timeInIncident')}
    >
      <Counter since={(asked - passed) * SECOND} />
    </Tile>
  )
}
