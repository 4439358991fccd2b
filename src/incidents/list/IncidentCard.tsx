import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { memo } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import type { ListedIncident } from '#contract/incidents/schema.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { IncidentChips } from './IncidentChips.tsx'
import { cardText } from './previewValues.ts'
import { TaskProgress } from '../feed/TaskProgress.tsx'

const rows = (count: number) => ({
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: count,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
})

interface Props {
  incident: ListedIncident
  /** Name of the creator. */
  author: string
}

/** An incident in the feed. The whole card is a link. */
export const IncidentCard = memo(function IncidentCard({ incident, author }: Props) {
  const text = useText()
  const { id, title, isTabletop, isActive, createTimestamp } = incident
  const { tasksCount, completeTasksCount, updatesCount, checkInsCount } = incident
  const edge = isTabletop ? 'warning-main' : isActive ? 'error-main' : 'divider'
  return (
    <Box
      component="article"
      data-exercise={isTabletop || undefined}
      sx={{
        position: 'relative',
        display: 'grid',
        gap: 1,
        p: 2,
        bgcolor: 'background.paper',
        border: isTabletop ? '2px solid' : '1px solid',
        borderInlineStart: '4px solid',
        borderColor: isTabletop ? 'warning.main' : 'divider',
        borderInlineStartColor: `var(--m-palette-${edge})`,
        borderRadius: 1,
        transition: 'background-color 140ms',
        '&:hover': { bgcolor: 'action.hover' },
        '&:has(a:focus-visible)': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
      }}
    >
      <Typography variant="h3" component="h2" dir="auto" sx={{ order: 2, ...rows(3) }}>
        <Link
          component={RouterLink}
          to={`/incidents/${id}`}
          color="inherit"
          underline="none"
          sx={{ outline: 'none', '&::after': { content: '""', position: 'absolute', inset: 0 } }}
        >
          {title}
        </Link>
      </Typography>
      <Box sx={{ order: 1 }}>
        <IncidentChips incident={incident} />
      </Box>
      <Typography color="textSecondary" dir="auto" sx={{ order: 3, ...rows(2) }}>
        {cardText(incident)}
      </Typography>
      <Box
        sx={{
          order: 4,
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 2.5,
          rowGap: 0.5,
          alignItems: 'center',
          color: 'text.secondary',
          fontSize: '0.75rem',
        }}
      >
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          <Time at={createTimestamp} /> · {author}
        </Box>
        {tasksCount > 0 && <TaskProgress complete={completeTasksCount} total={tasksCount} />}
        {updatesCount > 0 && <span>{text('incidents.updates', { smart_count: updatesCount })}</span>}
        <span>{text('incidents.checkIns', { smart_count: checkInsCount })}</span>
      </Box>
    </Box>
  )
})
