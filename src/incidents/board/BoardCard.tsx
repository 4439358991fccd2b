import { useDraggable } from '@dnd-kit/core'
import { CSS } from '@dnd-kit/utilities'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { isIncomplete } from '#contract/incidents/rules.ts'
import { type Activity, TASK_STATUSES, type TaskStatus } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { board as words } from '#providers/i18n/task-board.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'

import { DuePart } from '../feed/DuePart.tsx'
import { beside } from './boardColumns.ts'

const STEPS: { readonly [key: string]: -1 | 1 } = { ArrowLeft: -1, ArrowRight: 1 }

interface Props {
  task: Activity
  onMove: (task: Activity, status: TaskStatus) => void
  /** Takes the focus, which follows a moved card into its column; undefined for other cards. */
  onFocus: (() => void) | undefined
  helpId: string
}

/** The other columns, as a menu. */
function MoveMenu({ task, onMove }: Pick<Props, 'task' | 'onMove'>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <IconButton
        aria-label={words.menu(task.title)}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: { xs: 44, sm: 32 }, height: { xs: 44, sm: 32 }, flex: 'none' }}
      >
        <MoreVertRounded sx={{ fontSize: 18 }} />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {TASK_STATUSES.filter((status) => status !== task.status).map((status) => (
          <MenuItem
            key={status}
            onClick={() => {
              close()
              onMove(task, status)
            }}
          >
            {words.moveTo(words.columns[status])}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

/** Owner, due time, progress and an unusual priority of a task. */
function Details({ task }: { task: Activity }) {
  const text = useText()
  const { assignedTo, priority, progress, dueTimestamp } = task
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        rowGap: 0.5,
        fontSize: '0.8125rem',
        color: 'text.secondary',
      }}
    >
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
        {assignedTo && <Initials firstName={assignedTo.firstName} lastName={assignedTo.lastName} size={20} />}
        <span>{assignedTo ? fullName(assignedTo) : text('incidents.unassigned')}</span>
      </Box>
      {dueTimestamp !== null && isIncomplete(task) && <DuePart task={task} due={dueTimestamp} />}
      {priority !== 'MEDIUM' && (
        <span>{text('incidents.priorityIs', { priority: text(`incidents.priorities.${priority}`) })}</span>
      )}
      {task.status === 'IN_PROGRESS' && <span>{progress}%</span>}
    </Box>
  )
}

/** A task on the board. People who may change it move it by arrow keys, by its menu or by dragging. */
export function BoardCard({ task, onMove, onFocus, helpId }: Props) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!onFocus) return
    card.current?.focus()
    onFocus()
  }, [onFocus])
  const { listeners, setNodeRef, transform, isDragging } = useDraggable({
    id: task.id,
    disabled: !task.canEdit,
  })
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const to = step && beside(task.status, step)
    if (!to || !task.canEdit || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onMove(task, to)
  }
  return (
    <Box
      component="li"
      ref={setNodeRef}
      {...listeners}
      style={{ transform: CSS.Translate.toString(transform) }}
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 0.5,
        p: 1,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        ...(task.canEdit && { cursor: 'grab' }),
        ...(isDragging && { position: 'relative', zIndex: 2, boxShadow: 3, cursor: 'grabbing' }),
      }}
    >
      <Box
        ref={card}
        tabIndex={0}
        role="group"
        aria-label={words.card(task.title, words.columns[task.status])}
        aria-describedby={task.canEdit ? helpId : undefined}
        onKeyDown={move}
        sx={{
          flex: 1,
          minWidth: 0,
          display: 'grid',
          gap: 0.5,
          borderRadius: '4px',
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
        }}
      >
        <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {task.title}
        </Box>
        <Details task={task} />
      </Box>
      {task.canEdit && <MoveMenu task={task} onMove={onMove} />}
    </Box>
  )
}
