import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'

import { type ActivityChanges, type MyTask, PROGRESS_STEPS } from '#contract/incidents/schema.ts'
import { myTasks as words } from '#providers/i18n/task-board.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { DuePart } from '../feed/DuePart.tsx'
import { TaskStatusChip } from '../feed/TaskStatusChip.tsx'
import { useChangeMyTask } from './queries.ts'

type Act = keyof typeof words.changed

/** The act that comes next: to take, to start or to complete a task; progress in between. */
function Acts({ task, isFree }: { task: MyTask; isFree: boolean }) {
  const text = useText()
  const notify = useNotify()
  const me = useSession().user?.email ?? null
  const { mutate, isPending } = useChangeMyTask(task)
  const change = (act: Act, changes: ActivityChanges) =>
    mutate(changes, {
      onSuccess: () => notify(words.changed[act](task.title), { type: 'success' }),
      onError: (error) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
    })
  const button = { size: 'small', variant: 'outlined', disabled: isPending } as const
  if (isFree)
    return (
      <Button
        {...button}
        aria-label={words.takeNamed(task.title)}
        onClick={() => change('take', { assignedTo: me })}
      >
        {words.take}
      </Button>
    )
  return (
    <>
      {task.status === 'TO_DO' ? (
        <Button
          {...button}
          aria-label={words.startNamed(task.title)}
          onClick={() => change('start', { status: 'IN_PROGRESS' })}
        >
          {words.start}
        </Button>
      ) : (
        <TextField
          select
          size="small"
          value={task.progress}
          disabled={isPending}
          onChange={({ target }) => {
            const progress = PROGRESS_STEPS.find((step) => step === Number(target.value))
            if (progress !== undefined) change(progress === 100 ? 'complete' : 'progress', { progress })
          }}
          slotProps={{ select: { SelectDisplayProps: { 'aria-label': words.progressOf(task.title) } } }}
          sx={{ minWidth: 92 }}
        >
          {PROGRESS_STEPS.map((step) => (
            <MenuItem key={step} value={step}>
              {step}%
            </MenuItem>
          ))}
        </TextField>
      )}
      <Button
        {...button}
        aria-label={words.completeNamed(task.title)}
        onClick={() => change('complete', { status: 'COMPLETE' })}
      >
        {words.complete}
      </Button>
    </>
  )
}

/** A task of the visitor, or one that nobody has, with its incident and the acts on it. */
export function MyTaskRow({ task, isFree }: { task: MyTask; isFree: boolean }) {
  const text = useText()
  const { dueTimestamp, status, priority } = task
  const isDone = status === 'COMPLETE'
  return (
    <Box
      component="li"
      data-exercise={task.isTabletop || undefined}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 1,
        p: 1.5,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderInlineStart: '4px solid',
        borderInlineStartColor: `var(--m-palette-${task.isTabletop ? 'warning-main' : 'divider'})`,
        borderRadius: 1,
      }}
    >
      <Box sx={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link
          component={RouterLink}
          to={`/incidents/${task.incidentId}`}
          color="inherit"
          dir="auto"
          sx={{ fontWeight: 600 }}
        >
          {task.title}
        </Link>
        <Typography variant="caption" component="div" color="textSecondary">
          {task.isTabletop && (
            <Box component="strong" sx={{ color: 'warning.main', fontWeight: 600, mr: 0.75 }}>
              {words.exercise}
            </Box>
          )}
          <bdi>{task.incidentTitle}</bdi>
          {priority !== 'MEDIUM' &&
            ` · ${text('incidents.priorityIs', { priority: text(`incidents.priorities.${priority}`) })}`}
        </Typography>
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 1,
          color: 'text.secondary',
          fontSize: '0.8125rem',
          '& .MuiButton-root': { minHeight: { xs: 44, sm: 32 } },
        }}
      >
        {isDone ? (
          <span>
            {words.completed} <Time at={task.updateTimestamp} />
          </span>
        ) : (
          dueTimestamp !== null && (
            <DuePart task={{ ...task, type: 'TASK', isSkipped: false }} due={dueTimestamp} />
          )
        )}
        {(isDone || !task.canEdit || isFree) && <TaskStatusChip status={status} />}
        {task.canEdit && !isDone && <Acts task={task} isFree={isFree} />}
      </Box>
    </Box>
  )
}
