import ApartmentRounded from '@mui/icons-material/ApartmentRounded'
import PeopleRounded from '@mui/icons-material/PeopleRounded'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'

import { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import type { ProviderDashboard } from '#contract/managed-incidents/schema.ts'
import { call } from '#providers/api.ts'
import { MINUTE } from '#src/kit/time/clock.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { STATES } from './organisationState.ts'

const TOTALS = [
  { field: 'incidentsInProgress', ...STATES.INCIDENT_IN_PROGRESS },
  { field: 'tabletopsInProgress', ...STATES.TABLETOP_IN_PROGRESS },
  { field: 'safe', ...STATES.SAFE },
  { field: 'organizations', icon: ApartmentRounded, tone: null },
  { field: 'activeUsers', icon: PeopleRounded, tone: null },
] as const

function Total({ total: { field, icon: Icon, tone }, totals }: TotalProps) {
  const text = useText()
  const [locale] = useLocaleState()
  const count = totals?.[field]
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column-reverse', minWidth: 0 }}>
      <Box component="dt" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        {text(`management.incidents.totals.${field}`)}
      </Box>
      <Box
        component="dd"
        sx={{ m: 0, display: 'flex', alignItems: 'center', gap: 1, fontSize: '1.25rem', fontWeight: 600 }}
      >
        <Icon color={tone && count ? tone : 'disabled'} aria-hidden />
        {count === undefined ? '–' : formatNumber(locale, count)}
      </Box>
    </Box>
  )
}
interface TotalProps {
  total: (typeof TOTALS)[number]
  totals: ProviderDashboard | undefined
}

/** Number of organisations by state, including those that the list below does not show. */
export function Totals() {
  const text = useText()
  const { data } = useQuery({
    queryKey: ['management/incidents', 'totals'],
    queryFn: ({ signal }) => call(managedIncidentsApi.dashboard, { signal }),
    refetchInterval: MINUTE,
  })
  return (
    <Box
      component="dl"
      aria-label={text('management.incidents.totals.title')}
      sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1.5 }}
    >
      {TOTALS.map((total) => (
        <Total key={total.field} total={total} totals={data} />
      ))}
    </Box>
  )
}
