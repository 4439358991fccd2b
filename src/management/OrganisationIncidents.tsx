import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TablePagination from '@mui/material/TablePagination'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import { INCIDENTS_PAGE_SIZE, type ManagedIncident } from '#contract/managed-incidents/schema.ts'
import { call } from '#providers/api.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { MINUTE } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

const PieChart = lazy(async () => ({ default: (await import('#src/kit/layout/PieChart.tsx')).PieChart }))

const statusChip = ({ isActive, isTabletop }: ManagedIncident) => {
  if (!isActive) return { icon: CheckCircleRounded, tone: 'success' } as const
  return isTabletop
    ? ({ icon: SchoolRounded, tone: 'warning' } as const)
    : ({ icon: CrisisAlertRounded, tone: 'error' } as const)
}

function Status({ incident }: { incident: ManagedIncident }) {
  const text = useText()
  const { isActive, outcome } = incident
  const label = isActive
    ? text('management.incidents.inProgress')
    : text(outcome ? `management.incidents.outcomes.${outcome}` : 'management.incidents.resolved')
  return <StatusChip label={label} {...statusChip(incident)} />
}

/** The figures of one incident. */
function Detail({ incident, activeUsers }: { incident: ManagedIncident; activeUsers: number }) {
  const text = useText()
  const tasks = incident.activities.filter(({ type }) => type === 'TASK')
  const withStatus = (wanted: string) => tasks.filter(({ status }) => status === wanted).length
  const expected = Math.max(
    incident.isTargeted ? incident.targetedUsers.length : activeUsers,
    incident.checkIns.length,
  )
  return (
    <Paper variant="outlined" component="section" aria-label={incident.title} sx={{ p: 2.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 0.5 }}>
        <Typography variant="h2" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
          {incident.title}
        </Typography>
        <Status incident={incident} />
      </Box>
      <Typography sx={{ color: 'text.secondary', mb: 2 }}>
        <Time at={incident.createTimestamp} /> · {incident.createdBy}
      </Typography>
      {incident.previewText && (
        <Box sx={{ mb: 3, maxWidth: 720 }}>
          <PlainText text={incident.previewText} />
        </Box>
      )}
      <Suspense fallback={<Skeleton variant="rounded" height={180} />}>
        <Box
          sx={{
            display: 'grid',
            gap: 3,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
          }}
        >
          <PieChart
            title={text('management.incidents.checkIns')}
            empty={text('management.incidents.none')}
            slices={[
              {
                name: text('management.incidents.checkedIn'),
                value: incident.checkIns.length,
                color: 'success-main',
              },
              {
                name: text('management.incidents.missing'),
                value: expected - incident.checkIns.length,
                color: 'divider',
              },
            ]}
          />
          <PieChart
            title={text('management.incidents.tasks')}
            empty={text('management.incidents.none')}
            slices={[
              { name: text('management.incidents.toDo'), value: withStatus('TO_DO'), color: 'error-main' },
              {
                name: text('management.incidents.working'),
                value: withStatus('IN_PROGRESS'),
                color: 'warning-main',
              },
              {
                name: text('management.incidents.complete'),
                value: withStatus('COMPLETE'),
                color: 'success-main',
              },
            ]}
          />
          <PieChart
            title={text('management.incidents.activities')}
            empty={text('management.incidents.none')}
            slices={[
              { name: text('management.incidents.tasks'), value: tasks.length, color: 'primary-main' },
              {
                name: text('management.incidents.updates'),
                value: incident.activities.length - tasks.length,
                color: 'divider',
              },
            ]}
          />
        </Box>
      </Suspense>
    </Paper>
  )
}

/** Pages of an organisation's incidents, and the figures of the chosen one. */
export function OrganisationIncidents({ id, activeUsers }: { id: string; activeUsers: number }) {
  const text = useText()
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<string>()
  const query = useQuery({
    queryKey: ['management/incidents', id, page],
    queryFn: ({ signal }) =>
      call(managedIncidentsApi.list, {
        params: { id },
        query: { page: String(page), size: String(INCIDENTS_PAGE_SIZE) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  })
  if (!query.data)
    return (
      <Box sx={{ p: { xs: 2, md: 3 } }}>
        <Awaiting queries={[query]} height={320} />
      </Box>
    )
  const { data: incidents, total } = query.data
  const selected = incidents.find((incident) => incident.id === chosen) ?? incidents[0]
  if (!selected) return <EmptyState icon={<CrisisAlertRounded />} text={text('management.incidents.empty')} />
  return (
    <Box
      sx={{
        p: { xs: 2, md: 3 },
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 3,
        maxWidth: 1440,
        mx: 'auto',
      }}
    >
      <Detail incident={selected} activeUsers={activeUsers} />
      <Box component="section" aria-label={text('management.incidents.others')}>
        <Typography variant="h2" sx={{ fontSize: '1rem', mb: 1 }}>
          {text('management.incidents.others')}
        </Typography>
        <TableContainer component={Paper} variant="outlined">
          <Table size="small" aria-label={text('management.incidents.others')}>
            <TableHead>
              <TableRow>
                <TableCell>{text('management.incidents.incidentTitle')}</TableCell>
                <TableCell>{text('management.incidents.status')}</TableCell>
                <TableCell>{text('management.incidents.began')}</TableCell>
                <TableCell>{text('management.incidents.ended')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {incidents.map((incident) => (
                <TableRow
                  key={incident.id}
                  hover
                  selected={incident.id === selected.id}
                  onClick={() => setChosen(incident.id)}
                  sx={{ cursor: 'pointer' }}
                >
                  <TableCell component="th" scope="row" sx={{ fontWeight: 600 }}>
                    <Box
                      component="button"
                      type="button"
                      aria-pressed={incident.id === selected.id}
                      dir="auto"
                      sx={{
                        p: 0,
                        border: 0,
                        font: 'inherit',
                        color: 'inherit',
                        background: 'none',
                        textAlign: 'start',
                        cursor: 'pointer',
                      }}
                    >
                      {incident.title}
                    </Box>
                  </TableCell>
                  <TableCell>
                    <Status incident={incident} />
                  </TableCell>
                  <TableCell>
                    <Time at={incident.createTimestamp} />
                  </TableCell>
                  <TableCell>
                    {incident.resolveTimestamp && <Time at={incident.resolveTimestamp} />}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
          <TablePagination
            component="div"
            count={total}
            page={page}
            rowsPerPage={INCIDENTS_PAGE_SIZE}
            rowsPerPageOptions={[INCIDENTS_PAGE_SIZE]}
            onPageChange={(_, next) => setPage(next)}
          />
        </TableContainer>
      </Box>
    </Box>
  )
}
