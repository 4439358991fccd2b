import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { Link } from 'react-router-dom'

import { loud } from '#src/kit/theme/filledSurface.ts'
import { useText } from '#src/kit/useText.ts'

import { useActiveIncidents } from './useActiveIncidents.ts'

/** The incident or exercise in progress, on every page. An exercise says so in amber and in words. */
export function ActiveIncidentLink({ sx }: { sx: SystemStyleObject }) {
  const text = useText()
  const [active, ...others] = useActiveIncidents()
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
        loud(active.isTabletop ? 'warning' : 'error'),
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
