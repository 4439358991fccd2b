import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import { localDay } from '#src/kit/time/formats.ts'

/** Date above the first message of a day. */
export function DayLine({ at }: { at: string }) {
  const [locale] = useLocaleState()
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2,
        py: 1,
        color: 'text.secondary',
        fontSize: '0.75rem',
        fontWeight: 600,
        '&::before, &::after': { content: '""', flex: 1, borderTop: 1, borderColor: 'divider' },
      }}
    >
      <time dateTime={at}>{localDay(locale, Date.parse(at))}</time>
    </Box>
  )
}
