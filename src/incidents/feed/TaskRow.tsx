import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import PersonOffOutlined from '@mui/icons-material/PersonOffOutlined'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { memo, useId } from 'react'

import { isIncomplete } from '#contract/incidents/rules.ts'
import type { Activity } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

import { DuePart } from './DuePart.tsx'
import { FilesMark } from './ActivityFiles.tsx'
import { useDuration } from '#src/playbooks/useDuration.ts'
import { PRIORITY_ICONS } from '../list/IncidentChips.tsx'
import { SelectBox } from './SelectBox.tsx'
import { TaskDetails } from './TaskDetails.tsx'
import { TaskStatusChip } from './TaskStatusChip.tsx'

/** One line if the width allows it, otherwise two. One style rule, because a long feed holds many rows. */
const line: SystemStyleObject = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 1,
  rowGap: 0.5,
  width: '100%',
  minHeight: 44,
  py: 0.5,
  textAlign: 'start',
  px: 0,
  border: 0,
  bgcolor: 'transparent',
  color: 'inherit',
  font: 'inherit',
  cursor: 'pointer',
  borderRadius: '6px',
  '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
  '&:hover': { bgcolor: 'action.hover' },
  '& [data-part]': { display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 },
  '& [data-part]:not([data-part="title"])': {
    fontSize: '0.8125rem',
    color: 'text.secondary',
    whiteSpace: 'nowrap',
  },
  '& [data-part="title"]': {
    fontWeight: 600,
    flex: '1 1 calc(100% - 28px)',
    minWidth: 0,
    overflowWrap: 'anywhere',
  },
  '&[aria-expanded="false"] [data-part="title"]': {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    overflow: 'hidden',
  },
  '& [data-part="owner"]': { flex: '1 1 0', minWidth: 24, marginInlineStart: '28px', overflow: 'hidden' },
  '& [data-part="owner"] > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
  // A narrow row has a due time alone, and no progress that the state says.
  '& [data-part="expected"]:not([data-due]), & [data-said], & [data-part="priority"] > b': {
    display: 'none',
  },
  '& [data-part="priority"]': { position: 'relative' },
  '& [data-part="priority"] svg': { fontSize: 16 },
  '& b': { fontWeight: 600 },
  '& [data-part="chevron"]': { transform: 'rotate(-90deg)', transition: 'transform 140ms' },
  '&[aria-expanded="true"] [data-part="chevron"]': { transform: 'none' },
  '@container (min-width: 640px)': {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr) 120px 64px 56px 36px 104px',
    '& [data-part="owner"]': { marginInlineStart: 0 },
    '& [data-part="expected"]:not([data-due]), & [data-said]': { display: 'flex' },
    '& [data-part="priority"] > b': { display: 'inline' },
    '& [data-part="progress"]': { justifyContent: 'flex-end' },
  },
}
/** The line with its checkbox and its button. Plain elements, because a long feed holds many of them. */
const around: SystemStyleObject = {
  display: 'flex',
  alignItems: 'center',
  gap: 0.5,
  '& > button:first-of-type': { flex: 1, minWidth: 0 },
  '& > [data-take]': {
    flex: 'none',
    minHeight: { xs: 44, sm: 32 },
    px: 1.25,
    border: '1px solid',
    borderColor: 'background.edge',
    borderRadius: '6px',
    bgcolor: 'transparent',
    color: 'primary.main',
    font: 'inherit',
    fontSize: '0.8125rem',
    fontWeight: 600,
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    '&:hover': { bgcolor: 'action.hover' },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
  },
}
const small = { fontSize: 16 }

interface Props {
  task: Activity
  /** True while expanded. */
  open: boolean
  onToggle: (id: string) => void
  /** True if updates can be added; `full` is the message at the limit. */
  canAdd: boolean
  full: string | undefined
  /** True while selected for an assignment; undefined where it cannot be. */
  isSelected: boolean | undefined
  onSelect: (ids: readonly string[], isSelected: boolean) => void
  /** Assigns the task to the visitor; undefined where somebody has it. */
  onTake: ((id: string) => void) | undefined
  /** True for an open task of a resolved incident that needs it no more. */
  isNotNeeded: boolean
}

/** A task in one line: owner, expected time, unusual priority, progress and state. Expands in place. */
export const TaskRow = memo(function TaskRow(props: Props) {
  const { task, open, onToggle, canAdd, full, isSelected, onSelect, onTake, isNotNeeded } = props
  const text = useText()
  const { ofMinutes } = useDuration()
  const id = useId()
  const { assignedTo, expectedTimeToComplete: expected, progress, priority, status } = task
  const due = isIncomplete(task) ? task.dueTimestamp : null
  const priorityText = text('incidents.priorityIs', { priority: text(`incidents.priorities.${priority}`) })
  return (
    <>
      <Box sx={around}>
        {isSelected !== undefined && (
          <SelectBox
            label={task.title}
            isSelected={isSelected}
            onSelect={(next) => onSelect([task.id], next)}
          />
        )}
        <Box
          component="button"
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => onToggle(task.id)}
          sx={line}
        >
          <span data-part="chevron">
            <ExpandMoreRounded />
          </span>
          <span data-part="title" dir="auto">
            {task.title}
            <FilesMark count={task.attachedFileIds.length} />
          </span>
          <span data-part="owner">
            {assignedTo ? (
              <Initials firstName={assignedTo.firstName} lastName={assignedTo.lastName} size={22} />
            ) : (
              <PersonOffOutlined sx={small} />
            )}
            <span>{assignedTo ? fullName(assignedTo) : text('incidents.unassigned')}</span>
          </span>
          <span
            data-part="expected"
            data-due={due === null ? undefined : ''}
            title={due === null ? text('incidents.expectedTime') : undefined}
          >
            {due !== null ? (
              <DuePart task={task} due={due} />
            ) : (
              expected !== null && (
                <>
                  <ScheduleRounded sx={small} />
                  {ofMinutes(expected, 'narrow')}
                </>
              )
            )}
          </span>
          <span data-part="priority" title={priorityText}>
            {priority !== 'MEDIUM' && (
              <>
                {PRIORITY_ICONS[priority]}
                <b aria-hidden>{text(`incidents.priorities.${priority}`)}</b>
              </>
            )}
            <Box component="span" sx={visuallyHidden}>
              {priorityText}
            </Box>
          </span>
          <span data-part="progress" data-said={progress % 100 === 0 ? '' : undefined}>
            {progress}%
          </span>
          <TaskStatusChip status={status} isNotNeeded={isNotNeeded} />
        </Box>
        {onTake && (
          <button
            type="button"
            data-take
            aria-label={text('incidents.takeNamed', { title: task.title })}
            onClick={() => onTake(task.id)}
          >
            {text('incidents.takeTask')}
          </button>
        )}
      </Box>
      {open && (
        <Box component="section" id={id} aria-label={task.title}>
          <TaskDetails task={task} canAdd={canAdd} full={full} />
        </Box>
      )}
    </>
  )
})
