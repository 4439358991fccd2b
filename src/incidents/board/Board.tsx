import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import ViewKanbanOutlined from '@mui/icons-material/ViewKanbanOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useCallback, useId, useMemo, useState } from 'react'

import { type Activity, type Incident, TASK_STATUSES, type TaskStatus } from '#contract/incidents/schema.ts'
import { board as words } from '#providers/i18n/task-board.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

import { STATUS_STYLES } from '../feed/TaskStatusChip.tsx'
import { BoardCard } from './BoardCard.tsx'
import { CARDS, columnsOf } from './boardColumns.ts'
import { movedTask, useMoveTask } from './useMoveTask.ts'

const MOUSE = { activationConstraint: { distance: 4 } }
/** A long press, so that a finger still scrolls the page. */
const TOUCH = { activationConstraint: { delay: 250, tolerance: 8 } }

interface ColumnProps {
  status: TaskStatus
  tasks: readonly Activity[]
  onMove: (task: Activity, status: TaskStatus) => void
  /** Id of the card that takes the focus. */
  focused: string | null
  onFocus: () => void
  helpId: string
}

/** The tasks of a status, some at first. */
function Column({ status, tasks, onMove, focused, onFocus, helpId }: ColumnProps) {
  const id = useId()
  const { setNodeRef, isOver } = useDroppable({ id: status })
  const [count, setCount] = useState(CARDS)
  const rest = tasks.length - count
  return (
    <Box
      component="section"
      ref={setNodeRef}
      aria-labelledby={id}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 1,
        minWidth: 0,
        minHeight: 160,
        p: 1,
        borderRadius: 1,
        border: '2px solid',
        borderColor: isOver ? 'primary.main' : 'divider',
        bgcolor: 'background.default',
        scrollSnapAlign: 'start',
      }}
    >
      <Typography
        id={id}
        variant="subtitle2"
        component="h3"
        sx={{ display: 'flex', alignItems: 'center', gap: 0.75, '& svg': { fontSize: 18 } }}
      >
        <Box
          component="span"
          aria-hidden
          sx={{ display: 'inline-flex', color: `${STATUS_STYLES[status].color}.main` }}
        >
          {STATUS_STYLES[status].icon}
        </Box>
        {words.columns[status]}
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
          {tasks.length.toLocaleString('en')}
        </Box>
      </Typography>
      {tasks.length === 0 && <Typography color="textSecondary">{words.emptyColumn}</Typography>}
      <Box
        component="ol"
        aria-labelledby={id}
        sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}
      >
        {tasks.slice(0, count).map((task) => (
          <BoardCard
            key={task.id}
            task={task}
            onMove={onMove}
            onFocus={task.id === focused ? onFocus : undefined}
            helpId={helpId}
          />
        ))}
      </Box>
      {rest > 0 && (
        <Button color="inherit" onClick={() => setCount(count + CARDS)}>
          {words.more(Math.min(CARDS, rest))}
        </Button>
      )}
    </Box>
  )
}

/** Columns by status, the moves between them, and what a screen reader is told of these. */
function useBoard(incident: Incident) {
  const [said, setSaid] = useState('')
  const [focused, setFocused] = useState<{ id: string; status: TaskStatus } | null>(null)
  const unfocus = useCallback(() => setFocused(null), [])
  const refused = useCallback(({ id, status, title }: Activity) => {
    setFocused({ id, status })
    setSaid(words.stays(title))
  }, [])
  const { moves, move: send } = useMoveTask(incident, refused)
  const columns = useMemo(
    () => columnsOf(incident.activities.map((task) => movedTask(task, moves))),
    [incident.activities, moves],
  )
  const move = useCallback(
    (task: Activity, status: TaskStatus) => {
      setFocused({ id: task.id, status })
      setSaid(words.moved(task.title, words.columns[status]))
      void send(task, status)
    },
    [send],
  )
  const find = (id: string | number) => incident.activities.find((task) => task.id === id)
  const drop = ({ active, over }: DragEndEvent) => {
    const task = [...columns.values()].flat().find(({ id }) => id === active.id)
    const status = TASK_STATUSES.find((one) => one === over?.id)
    if (task && status && task.status !== status) move(task, status)
  }
  // The end is announced by the board's own region, as it is for the keyboard.
  const announcements: Announcements = {
    onDragStart: ({ active }) => words.picked(find(active.id)?.title ?? ''),
    onDragOver: ({ active, over }) => {
      const status = TASK_STATUSES.find((one) => one === over?.id)
      return status && words.over(find(active.id)?.title ?? '', words.columns[status])
    },
    onDragEnd: () => undefined,
    onDragCancel: ({ active }) => words.stays(find(active.id)?.title ?? ''),
  }
  return { columns, said, focused, unfocus, move, drop, announcements }
}

/** The tasks of an incident as a board by status, beside the list of the story. */
export function Board({ incident }: { incident: Incident }) {
  const helpId = useId()
  const sensors = useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH))
  const { columns, said, focused, unfocus, move, drop, announcements } = useBoard(incident)
  if ([...columns.values()].every((tasks) => tasks.length === 0))
    return <EmptyState icon={<ViewKanbanOutlined />} text={words.empty} />
  return (
    <section aria-label={words.title}>
      <Box id={helpId} sx={visuallyHidden}>
        {words.keys}
      </Box>
      <Box component="output" aria-live="polite" sx={visuallyHidden}>
        {said}
      </Box>
      {incident.isActive && (
        <Typography color="textSecondary" sx={{ mb: 1, display: { xs: 'none', sm: 'block' } }}>
          {words.help}
        </Typography>
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={pointerWithin}
        onDragEnd={drop}
        accessibility={{ announcements }}
      >
        <Box
          sx={{
            display: 'grid',
            gap: 1.5,
            gridTemplateColumns: {
              xs: 'repeat(3, minmax(min(78vw, 280px), 1fr))',
              md: 'repeat(3, minmax(0, 1fr))',
            },
            alignItems: 'start',
            overflowX: { xs: 'auto', md: 'visible' },
            scrollSnapType: { xs: 'x proximity', md: 'none' },
            pb: 1,
          }}
        >
          {TASK_STATUSES.map((status) => (
            <Column
              key={status}
              status={status}
              tasks={columns.get(status) ?? []}
              onMove={move}
              focused={focused?.status === status ? focused.id : null}
              onFocus={unfocus}
              helpId={helpId}
            />
          ))}
        </Box>
      </DndContext>
    </section>
  )
}
