import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'

import type { Severity } from '#contract/incidents/schema.ts'
import { filledSurface } from '#src/kit/theme/filledSurface.ts'
import { SeverityLabel } from '#src/incidents/list/SeverityLabel.tsx'
import { useText } from '#src/kit/useText.ts'

/** An incident or exercise that is in progress. */
export interface ActiveIncident {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
  readonly severity: Severity
}
/** Active incidents and exercises: the first one by name, and their number. */
export interface InProgress {
  readonly first: ActiveIncident | null
  readonly incidents: number
  readonly exercises: number
}
export const NOTHING: InProgress = { first: null, incidents: 0, exercises: 0 }
export interface IncidentLinkProps {
  sx: SystemStyleObject
}

/** The feed of everything in progress. */
const ALL = '/incidents?state=active'

function Part({ to, exercise, children }: { to: string; exercise: boolean; children: ReactNode }) {
  return (
    <Box
      component={Link}
      to={to}
      sx={[
        {
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minWidth: 0,
          minHeight: { xs: 44, md: 36 },
          px: 1.5,
          textDecoration: 'none',
          whiteSpace: 'nowrap',
          '&:hover': { textDecoration: 'underline' },
        },
        filledSurface(exercise ? 'warning' : 'error'),
      ]}
    >
      {exercise ? <SchoolRounded /> : <CrisisAlertRounded />}
      {children}
    </Box>
  )
}

/**
 * Links to the gravest and newest active incident, or to all of them if there are several. Exercises are
 * counted apart, in amber and named in words. On its own page an incident is not named again.
 */
export function IncidentLink({
  inProgress: { first, incidents, exercises },
  sx,
}: IncidentLinkProps & { inProgress: InProgress }) {
  const text = useText()
  const { pathname } = useLocation()
  if (!first) return null
  const { id, isTabletop, severity } = first
  const path = `/incidents/${id}`
  const isHere = pathname === path || pathname.startsWith(`${path}/`)
  return (
    <Box
      sx={[
        {
          minWidth: 0,
          gap: { md: 1 },
          '& a': { borderRadius: '6px' },
          '& a:not(:first-of-type)': { flex: 'none' },
          '& a:first-of-type': { flex: { xs: '1 1 0', md: '0 1 auto' } },
        },
        sx,
      ]}
    >
      {!isHere && (
        <Part to={path} exercise={isTabletop}>
          <Box component="strong" sx={{ fontWeight: 600, flex: 'none' }}>
            {text(isTabletop ? 'app.activeExercise' : 'app.activeIncident')}
          </Box>
          {/* Read after the title, and seen before it. */}
          <Box component="span" sx={{ order: 1, overflow: 'hidden', textOverflow: 'ellipsis' }}>
            <bdi>{first.title}</bdi>
          </Box>
          <SeverityLabel severity={severity} />
        </Part>
      )}
      {incidents > 1 && (
        <Part to={ALL} exercise={false}>
          {text('app.allIncidents', { smart_count: incidents })}
        </Part>
      )}
      {exercises > (isTabletop ? 1 : 0) && (
        <Part to={ALL} exercise>
          {text('app.allExercises', { smart_count: exercises })}
        </Part>
      )}
    </Box>
  )
}
