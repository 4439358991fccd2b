import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'
import { Suspense } from 'react'

import type { Dashboard } from '#contract/dashboard/schema.ts'
import { usersAccess } from '#contract/users/access.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Tile } from './Tile.tsx'

const RequestUpgrade = lazy(async () => ({
  default: (await import('#src/features/RequestUpgrade.tsx')).RequestUpgrade,
}))

/** Number of users and the limit; once it is reached, administrators can request more. */
export function PeopleTile({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const [locale] = useLocaleState()
  const can = useCan()
  const administers = can(usersAccess)
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
      {dashboard.currentUsers >= dashboard.maxUsers && administers && (
        <Box sx={{ mt: 1, fontSize: '0.875rem', color: 'text.secondary' }}>
          {text('dashboard.allUsersTaken')}{' '}
          <Suspense>
            <RequestUpgrade feature="MORE_USERS">{text('dashboard.requestUsers')}</RequestUpgrade>
          </Suspense>
        </Box>
      )}
    </Tile>
  )
}
