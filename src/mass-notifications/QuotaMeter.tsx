import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  /** Number of notifications to be sent. */
  needed: number
  remaining: number
}

/** Share of the remaining quota that a notification takes. */
export function QuotaMeter({ needed, remaining }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const share = remaining === 0 ? 1 : Math.min(1, needed / remaining)
  const words = text('massNotifications.neededOf', {
    needed: formatNumber(locale, needed),
    remaining: formatNumber(locale, remaining),
  })
  return (
    <Box
      role="meter"
      aria-label={text('massNotifications.quotaMeter')}
      aria-valuemin={0}
      aria-valuemax={remaining}
      aria-valuenow={Math.min(needed, remaining)}
      aria-valuetext={words}
      sx={{ height: 8, mt: 1.5, borderRadius: 4, overflow: 'hidden', bgcolor: 'action.selected' }}
    >
      <Box
        sx={{
          width: `${Math.max(share * 100, 1)}%`,
          height: '100%',
          bgcolor: needed > remaining ? 'error.main' : 'primary.main',
        }}
      />
    </Box>
  )
}
