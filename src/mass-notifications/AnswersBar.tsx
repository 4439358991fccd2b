import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { useLocaleState } from 'react-admin'

import type { AnswerTone, Standing } from '#contract/notification-questions/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import type { RespondentFilter } from './queries.ts'

/** A part of the people of a question. */
export interface AnswersPart {
  readonly id: string
  readonly label: string
  readonly tone: AnswerTone | Extract<Standing, 'NOT_REACHED' | 'NO_ANSWER'>
  readonly count: number
  readonly filter: RespondentFilter
}

/** Colours of the theme. */
const COLORS = {
  GOOD: 'success.main',
  NEUTRAL: 'primary.main',
  ATTENTION: 'error.main',
  NOT_REACHED: 'warning.main',
  NO_ANSWER: 'text.disabled',
} as const

interface Props {
  parts: readonly AnswersPart[]
  /** Id of the part that the list shows; null for everybody. */
  chosen: string | null
  onChoose: (id: string | null) => void
}

/** Counts of a question as a bar, with a button for each part that narrows the list to it. */
export function AnswersBar({ parts, chosen, onChoose }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const number = (count: number) => formatNumber(locale, count)
  const spoken = parts.map(({ label, count }) =>
    text('massNotifications.barPart', { name: label, count: number(count) }),
  )
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 }}>
      <Box
        role="img"
        aria-label={text('massNotifications.barText', { parts: spoken.join(', ') })}
        sx={{
          display: 'flex',
          gap: '2px',
          height: 12,
          borderRadius: '6px',
          overflow: 'hidden',
          forcedColorAdjust: 'none',
        }}
      >
        {parts.map(({ id, tone, count }) => (
          <Box key={id} style={{ flexGrow: count }} sx={{ flexBasis: 0, bgcolor: COLORS[tone] }} />
        ))}
      </Box>
      <Box
        role="group"
        aria-label={text('massNotifications.filterAnswers')}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}
      >
        {parts.map(({ id, label, tone, count }) => {
          const isChosen = id === chosen
          return (
            <ButtonBase
              key={id}
              aria-pressed={isChosen}
              onClick={() => onChoose(isChosen ? null : id)}
              sx={{
                gap: 1,
                maxWidth: '100%',
                minHeight: { xs: 44, sm: 32 },
                px: 1.25,
                border: 1,
                borderColor: isChosen ? 'primary.main' : 'divider',
                borderRadius: '6px',
                bgcolor: isChosen ? 'action.selected' : undefined,
                typography: 'body2',
                '&:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: 2 },
              }}
            >
              <Box
                component="span"
                aria-hidden
                sx={{ flex: 'none', width: 10, height: 10, borderRadius: '3px', bgcolor: COLORS[tone] }}
              />
              <Box component="bdi" sx={{ minWidth: 0, overflowWrap: 'anywhere', textAlign: 'start' }}>
                {label}
              </Box>
              <strong>{number(count)}</strong>
            </ButtonBase>
          )
        })}
      </Box>
    </Box>
  )
}
