import Box from '@mui/material/Box'
import { useLocaleState } from 'ra-core'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { formatNumber } from '#src/kit/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Tile } from './Tile.tsx'

/** How many of the users that the organisation may have it has. */
export function PeopleTile({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <Tile label={text('dashboard.users')}>
      <Box
        sx={{
          fontSize: { xs: '1.5rem', sm: '2rem' },
          fontWeight: 600,
          lineHeight: 1.25,
          letterSpacing: '-0.01em',
        }}
      >
        {text('dashboard.usersOf', {
          current: formatNumber(locale, dashboard.currentUsers),
          max: formatNumber(locale, dashboard.maxUsers),
        })}
      </Box>
    </Tile>
  )
}
