import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import PersonOffOutlined from '@mui/icons-material/PersonOffOutlined'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { memo, useId } from 'react'

import type { Activity } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/users/rules.ts'
import { Initials } from '#src/kit/Initials.tsx'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/visuallyHidden.ts'

import { useDuration } from './Duration.tsx'
import { LEVEL_ICONS } from './IncidentChips.tsx'
import { TaskDetails } from './TaskDetails.tsx'
import { TaskStatusChip } from './TaskStatusChip.tsx'

interface Props {
  task: Activity
  /** Whether it lies open. */
  open: boolean
  onToggle: (id: string) => void
  /** Whether updates can be added to it; a sentence when there are too many. */
  canAdd: boolean
  full: string | undefined
}

/** A task in one line: owner, expected time, progress and state. It opens in place. */
export const TaskRow = memo(function TaskRow({ task, open, onToggle, canAdd, full }: Props) {
  const text = useText()
  const { ofMinutes } = useDuration()
  const id = useId()
  const { assignedTo, expectedTimeToComplete: expected, progress, priority, status } = task
  const priorityText = text('incidents.priorityIs', { priority: text(`incidents.priorities.${priority}`) })
  return (
    <>
      <ButtonBase
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onToggle(task.id)}
        sx={{
          display: 'grid',
          gridTemplateColumns: {
            xs: '20px minmax(0, 1fr) auto',
            sm: '20px minmax(0, 1fr) minmax(0, 168px) 88px 84px 112px',
          },
          alignItems: 'center',
          columnGap: 1,
          rowGap: 0.5,
          width: '100%',
          minHeight: 44,
          textAlign: 'start',
          font: 'inherit',
          borderRadius: '6px',
        }}
      >
        <ExpandMoreRounded
          sx={{ color: 'text.secondary', transform: open ? 'none' : 'rotate(-90deg)', transition: '140ms' }}
        />
        <Box
          component="span"
          dir="auto"
          sx={{
            fontWeight: 600,
            gridColumn: { xs: '2 / -1', sm: 'auto' },
            overflowWrap: 'anywhere',
            ...(!open && {
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: { sm: 'nowrap' },
              display: { xs: '-webkit-box', sm: 'block' },
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: 2,
            }),
          }}
        >
          {task.title}
        </Box>
        <Box
          component="span"
          sx={{
            gridColumn: { xs: '2', sm: 'auto' },
            display: 'flex',
            alignItems: 'center',
            gap: 0.75,
            minWidth: 0,
            fontSize: '0.8125rem',
            color: 'text.secondary',
          }}
        >
          {assignedTo ? (
            <Initials firstName={assignedTo.firstName} lastName={assignedTo.lastName} size={22} />
          ) : (
            <PersonOffOutlined sx={{ fontSize: 18 }} />
          )}
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {assignedTo ? fullName(assignedTo) : text('incidents.unassigned')}
          </Box>
        </Box>
        <Box
          component="span"
          title={text('incidents.expectedTime')}
          sx={{
            display: { xs: 'none', sm: 'flex' },
            alignItems: 'center',
            gap: 0.5,
            fontSize: '0.8125rem',
            color: 'text.secondary',
            whiteSpace: 'nowrap',
          }}
        >
          {expected !== null && (
            <>
              <ScheduleRounded sx={{ fontSize: 16 }} />
              {ofMinutes(expected, 'short')}
            </>
          )}
        </Box>
        <Box
          component="span"
          sx={{
            display: { xs: 'none', sm: 'flex' },
            alignItems: 'center',
            justifyContent: 'flex-end',
            gap: 0.5,
            fontSize: '0.8125rem',
            color: 'text.secondary',
            '& svg': { fontSize: 18 },
          }}
        >
          <Box component="span" title={priorityText} sx={{ display: 'flex', position: 'relative' }}>
            {LEVEL_ICONS[priority]}
            <Box component="span" sx={visuallyHidden}>
              {priorityText}
            </Box>
          </Box>
          <Box component="span" sx={{ minWidth: 36, textAlign: 'end' }}>
            {progress}%
          </Box>
        </Box>
        <TaskStatusChip status={status} />
      </ButtonBase>
      {open && (
        <Box component="section" id={id} aria-label={task.title}>
          <TaskDetails task={task} canAdd={canAdd} full={full} />
        </Box>
      )}
    </>
  )
})
