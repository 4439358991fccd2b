import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'

import { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import type { IncidentOverview } from '#contract/managed-incidents/schema.ts'
import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import type { OrganisationDetail } from '#contract/managed-organisations/schema.ts'
import { call } from '#providers/api.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { filledSurface } from '#src/kit/theme/filledSurface.ts'
import { MINUTE } from '#src/kit/time/clock.ts'
import { formatNumber, shortTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { durationInWords, STATES } from '#src/managed-incidents/organisationState.ts'

import { AccessGate } from './AccessGate.tsx'
import { OrganisationIncidents } from './OrganisationIncidents.tsx'
import { OrganisationOverview } from './OrganisationOverview.tsx'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box component="dt" sx={{ fontSize: '0.8125rem' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, fontSize: '1.125rem', fontWeight: 600 }}>
        {children}
      </Box>
    </div>
  )
}

/** The organisation's state: an incident outweighs an exercise (administration §4). */
function Banner({ overview, detail }: { overview: IncidentOverview; detail: OrganisationDetail }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { status, duration, title } = overview
  const { tone, icon: Icon } = STATES[status]
  return (
    <Box
      component="section"
      aria-label={text('management.incidents.banner')}
      sx={[{ p: 2.5, borderRadius: '8px' }, filledSurface(tone)]}
    >
      <Box
        sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: '1.25rem', fontWeight: 600, mb: 1.5 }}
      >
        <Icon />
        <span dir="auto">{detail.enterprise.displayName}</span>
      </Box>
      <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 5, rowGap: 1.5 }}>
        <Fact name={text('management.incidents.state')}>{text(`management.incidents.states.${status}`)}</Fact>
        <Fact
          name={text(
            status === 'SAFE' ? 'management.incidents.incidentFree' : 'management.incidents.inIncident',
          )}
        >
          {durationInWords(duration, text)}
        </Fact>
        <Fact name={text('management.incidents.users')}>
          {text('management.incidents.ofMax', {
            active: formatNumber(locale, detail.activeUsers),
            max: formatNumber(locale, detail.maxUsers),
          })}
        </Fact>
        <Fact name={text('management.incidents.files')}>{formatNumber(locale, detail.filesCount)}</Fact>
        {title !== null && <Fact name={text('management.incidents.running')}>{title}</Fact>}
      </Box>
    </Box>
  )
}

/** One organisation and its incidents, refreshed every minute (administration §2.2). */
export function OrganisationPage() {
  const text = useText()
  const [locale] = useLocaleState()
  const { id = '' } = useParams()
  const detail = useQuery({
    queryKey: ['management/organizations', 'detail', id],
    queryFn: ({ signal }) => call(managedOrganisationsApi.get, { params: { id }, signal }),
    refetchInterval: MINUTE,
  })
  const overview = useQuery({
    queryKey: ['management/incidents', 'one', id],
    queryFn: async ({ signal }) => {
      const query = { range: '[0,0]', filter: JSON.stringify({ id }) }
      const [found] = await call(managedIncidentsApi.overview, { query, signal })
      return found ?? null
    },
    refetchInterval: MINUTE,
  })
  return (
    <>
      <PageTitle title={detail.data?.enterprise.displayName ?? text('management.incidents.title')} />
      <Box sx={{ px: { xs: 2, md: 3 }, pt: 2, maxWidth: 1440, mx: 'auto' }}>
        <Button component={Link} to="/management/incidents" color="inherit" size="small" sx={{ mb: 1 }}>
          {text('management.incidents.back')}
        </Button>
        {isAwaiting([detail, overview]) || !detail.data || !overview.data ? (
          <Awaiting queries={[detail, overview]} height={140} />
        ) : (
          <>
            {detail.data.suspendedTimestamp !== null && (
              <Alert severity="warning" sx={{ mb: 2 }}>
                {text('management.organizations.suspendedSince', {
                  date: shortTime(locale, Date.parse(detail.data.suspendedTimestamp)),
                })}
              </Alert>
            )}
            <Banner detail={detail.data} overview={overview.data} />
            <OrganisationOverview detail={detail.data} />
          </>
        )}
      </Box>
      <AccessGate id={id}>
        <OrganisationIncidents id={id} activeUsers={detail.data?.activeUsers ?? 0} />
      </AccessGate>
    </>
  )
}
