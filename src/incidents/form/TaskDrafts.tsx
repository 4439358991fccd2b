import AddTaskRounded from '@mui/icons-material/AddTaskRounded'
import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded'
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { type ReactElement, useId, useState } from 'react'

import { tooManyActivities } from '#contract/incidents/schema.ts'
import { draftedForm } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { usePeople } from '#src/shared/usePeople.ts'

import { ActivityForm, DRAFT, type Written } from '../feed/ActivityForm.tsx'
import { CappedButton } from '../feed/CappedButton.tsx'
import { useDuration } from '../list/Duration.tsx'
import { type ActivityBody, useActivityCap } from '../queries.ts'

/** A task that is created together with its incident. */
export interface TaskDraft {
  readonly key: string
  readonly body: ActivityBody
}
const NEW = 'new'
let lastKey = 0
export const draftOf = (body: ActivityBody): TaskDraft => ({
  // Unlike those that come back after a sign-in.
  key: `draft-${Date.now().toString(36)}-${++lastKey}`,
  body,
})

const writtenOf = ({ body }: TaskDraft): Written => ({
  title: body.title ?? '',
  description: body.description ?? '',
  priority: body.priority ?? 'MEDIUM',
  assignedTo: body.assignedTo ? { email: body.assignedTo } : null,
  idealTitleToExecute: body.idealTitleToExecute ?? null,
  expectedTimeToComplete: body.expectedTimeToComplete ?? null,
})

interface Props {
  tasks: readonly TaskDraft[]
  onChange: (tasks: readonly TaskDraft[]) => void
  /** Told whether a task is half written. */
  onUnfinished: (unfinished: boolean) => void
  warning: string | undefined
  /** What the server said of tasks, by their place. */
  errors: Readonly<Record<number, string>>
}

/** The first tasks of a new incident: added, changed, removed and put in order. */
export function TaskDrafts({ tasks, onChange, onUnfinished, warning, errors }: Props) {
  const text = useText()
  const id = useId()
  const { nameOf } = usePeople()
  const { ofMinutes } = useDuration()
  const cap = useActivityCap()
  const [open, setOpen] = useState(() => draftedForm(DRAFT) ?? null)
  const [moved, setMoved] = useState('')
  const full = tasks.length >= cap ? tooManyActivities(cap) : undefined
  const focusSoon = (elementId: string) =>
    requestAnimationFrame(() => document.getElementById(elementId)?.focus())
  const close = () => {
    if (open) focusSoon(open === NEW ? `${id}-add` : `${id}-edit-${open}`)
    setOpen(null)
    onUnfinished(false)
  }
  const move = (from: number, to: number, button: string) => {
    const next = [...tasks]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
    setMoved(
      text('incidents.taskMoved', {
        title: tasks[from]?.body.title ?? '',
        place: to + 1,
        count: tasks.length,
      }),
    )
    focusSoon(button)
  }
  const button = (key: string, label: string, icon: ReactElement, onClick: () => void, disabled = false) => (
    <Tooltip title={label}>
      <span>
        <IconButton id={`${id}-${key}`} size="small" aria-label={label} disabled={disabled} onClick={onClick}>
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  )
  const row = (task: TaskDraft, index: number) => {
    const { title = '', assignedTo, expectedTimeToComplete: expected, priority = 'MEDIUM' } = task.body
    const facts = [
      assignedTo ? nameOf(assignedTo) : text('incidents.unassigned'),
      text('incidents.priorityIs', { priority: text(`incidents.priorities.${priority}`) }),
      expected != null && ofMinutes(expected, 'short'),
    ].filter(Boolean)
    const name = { title }
    return (
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
          <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {title}
          </Box>
          <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>{facts.join(' · ')}</Box>
          {errors[index] && <FormHelperText error>{errors[index]}</FormHelperText>}
        </Box>
        <Box sx={{ display: 'flex', color: 'text.secondary' }}>
          {button(
            `up-${task.key}`,
            text('incidents.moveUp', name),
            <ArrowUpwardRounded />,
            () => move(index, index - 1, `${id}-${index === 1 ? 'down' : 'up'}-${task.key}`),
            index === 0,
          )}
          {button(
            `down-${task.key}`,
            text('incidents.moveDown', name),
            <ArrowDownwardRounded />,
            () => move(index, index + 1, `${id}-${index === tasks.length - 2 ? 'up' : 'down'}-${task.key}`),
            index === tasks.length - 1,
          )}
          {button(
            `edit-${task.key}`,
            text('incidents.editDraft', name),
            <EditRounded />,
            () => setOpen(task.key),
            open !== null,
          )}
          {button(`remove-${task.key}`, text('incidents.removeDraft', name), <DeleteOutlineRounded />, () => {
            onChange(tasks.filter(({ key }) => key !== task.key))
            focusSoon(`${id}-add`)
          })}
        </Box>
      </Box>
    )
  }
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1.5 }}>
      <div>
        <Typography id={id} variant="subtitle2" component="h2">
          {text('incidents.firstTasks')}
        </Typography>
        <Typography color="textSecondary">{text('incidents.firstTasksText')}</Typography>
      </div>
      <Box component="output" sx={visuallyHidden}>
        {moved}
      </Box>
      {tasks.length > 0 && (
        <Box component="ol" sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
          {tasks.map((task, index) => (
            <Box
              component="li"
              key={task.key}
              sx={{ p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}
            >
              {open === task.key ? (
                <ActivityForm
                  kind="TASK"
                  name={task.key}
                  written={writtenOf(task)}
                  inline
                  submitLabel={text('incidents.save')}
                  onSave={(fields) =>
                    onChange(
                      tasks.map((other) =>
                        other.key === task.key ? { ...other, body: { ...other.body, ...fields } } : other,
                      ),
                    )
                  }
                  onClose={close}
                  onDirty={onUnfinished}
                />
              ) : (
                row(task, index)
              )}
            </Box>
          ))}
        </Box>
      )}
      {open === NEW ? (
        <Box
          sx={{ p: 2, border: 1, borderColor: 'primary.main', borderRadius: 1, bgcolor: 'background.paper' }}
        >
          <ActivityForm
            kind="TASK"
            name={NEW}
            submitLabel={text('incidents.addTask')}
            onSave={(fields) => onChange([...tasks, draftOf({ type: 'TASK', ...fields })])}
            onClose={close}
            onDirty={onUnfinished}
          />
        </Box>
      ) : (
        <Box>
          <CappedButton
            id={`${id}-add`}
            full={full ?? (open === null ? undefined : text('incidents.cannotAdd'))}
            variant="outlined"
            startIcon={<AddTaskRounded />}
            onClick={() => setOpen(NEW)}
          >
            {text('incidents.addTask')}
          </CappedButton>
        </Box>
      )}
      {warning && (
        <FormHelperText error role="alert">
          {warning}
        </FormHelperText>
      )}
    </Box>
  )
}
