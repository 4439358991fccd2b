import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded'
import Box from '@mui/material/Box'

import type { AnswerTone } from '#contract/notification-questions/schema.ts'

const LOOKS = {
  GOOD: { icon: CheckCircleOutlineRounded, color: 'success' },
  NEUTRAL: { icon: RadioButtonUncheckedRounded, color: 'action' },
  ATTENTION: { icon: ErrorOutlineRounded, color: 'error' },
} as const

/** An answer with the mark of its tone. */
export function ToneMark({ tone, label }: { tone: AnswerTone; label: string }) {
  const { icon: Icon, color } = LOOKS[tone]
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
      <Icon color={color} sx={{ flex: 'none', fontSize: 18 }} />
      <Box component="bdi" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {label}
      </Box>
    </Box>
  )
}
