import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'

import { welcome as texts } from '#providers/i18n/welcome.ts'

interface Props {
  step: number
  busy: boolean
  onChoose: (step: number) => void
}

/** All steps with the current one marked; on a phone only that one. */
export function Steps({ step, busy, onChoose }: Props) {
  return (
    <Box component="nav" aria-label={texts.stepsLabel} sx={{ mb: 3, fontSize: '0.875rem' }}>
      {step > 0 && (
        <Box sx={{ display: { md: 'none' }, color: 'text.secondary' }}>
          {texts.stepOf(step, texts.steps[step]!)}
        </Box>
      )}
      <Box
        component="ol"
        sx={{
          display: { xs: 'none', md: 'grid' },
          gridAutoFlow: 'column',
          gridAutoColumns: '1fr',
          gap: 1,
          m: 0,
          p: 0,
          listStyle: 'none',
        }}
      >
        {texts.steps.map((name, n) => (
          <li key={name}>
            <ButtonBase
              disabled={busy}
              onClick={() => n !== step && onChoose(n)}
              {...(n === step && { 'aria-current': 'step' as const })}
              sx={{
                width: '100%',
                font: 'inherit',
                minHeight: 40,
                justifyContent: 'flex-start',
                borderTop: 3,
                borderColor: n <= step ? 'primary.main' : 'divider',
                color: n === step ? 'text.primary' : 'text.secondary',
                fontWeight: n === step ? 600 : 400,
              }}
            >
              {n === 0 ? name : `${n}. ${name}`}
            </ButtonBase>
          </li>
        ))}
      </Box>
    </Box>
  )
}
