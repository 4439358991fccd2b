import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { Link } from 'react-router-dom'

import { filledSurface } from '#src/kit/theme/filledSurface.ts'
import { useText } from '#src/kit/useText.ts'

/** An incident or exercise that is in progress. */
export interface ActiveIncident {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
}
export interface IncidentLinkProps {
  sx: SystemStyleObject
}

/** Leads to the first of the active incidents and counts the others. An exercise is amber and named in words. */
export function IncidentLink({
  incidents: [active, ...others],
  sx,
}: IncidentLinkProps & { incidents: readonly ActiveIncident[] }) {
  const text = useText()
  if (!active) return null
  return (
    <Box
      component={Link}
      to={`/incidents/${active.id}`}
      sx={[
        {
          alignItems: 'center',
          gap: 1,
          minWidth: 0,
          minHeight: 36,
          px: 1.5,
          borderRadius: '6px',
          textDecoration: 'none',
          whiteSpace: 'nowrap',
          '&:hover': { textDecoration: 'underline' },
        },
        filledSurface(active.isTabletop ? 'warning' : 'error'),
        sx,
      ]}
    >
      {active.isTabletop ? <SchoolRounded /> : <CrisisAlertRounded />}
      <Box component="strong" sx={{ fontWeight: 600, flex: 'none' }}>
        {text(active.isTabletop ? 'app.activeExercise' : 'app.activeIncident')}
      </Box>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        <bdi>{active.title}</bdi>
      </Box>
      {others.length > 0 && (
        <Box component="span" sx={{ flex: 'none' }}>
          {text('app.more', { count: others.length })}
        </Box>
      )}
    </Box>
  )
}
