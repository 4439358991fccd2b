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
import { usePeople } from '#providers/people.ts'

import { ActivityForm } from '../feed/ActivityForm.tsx'
import type { ActivityFields, InitialActivity } from '../feed/activityValues.ts'
import { CappedButton } from '../feed/CappedButton.tsx'
import { DRAFT } from '../feed/useActivityForm.ts'
import { useDuration } from '#src/playbooks/useDuration.ts'
import { type ActivityBody, useActivityCap } from '../queries.ts'

/** A task that is created together with its incident. */
export interface TaskDraft {
  readonly key: string
  readonly body: ActivityBody
}
const NEW = 'new'
let lastKey = 0
export const draftOf = (body: ActivityBody): TaskDraft => ({
  // The time keeps new keys apart from those restored after a sign-in.
  key: `draft-${Date.now().toString(36)}-${++lastKey}`,
  body,
})

const writtenOf = ({ body }: TaskDraft): InitialActivity => ({
  title: body.title ?? '',
  description: body.description ?? '',
  formattedDescription: body.formattedDescription ?? null,
  priority: body.priority ?? 'MEDIUM',
  assignedTo: body.assignedTo ? { email: body.assignedTo } : null,
  idealTitleToExecute: body.idealTitleToExecute ?? null,
  expectedTimeToComplete: body.expectedTimeToComplete ?? null,
  dueTimestamp: body.dueTimestamp ?? null,
})

interface ActionProps {
  id: string
  label: string
  icon: ReactElement
  disabled?: boolean
  onClick: () => void
}

function Action({ id, label, icon, disabled = false, onClick }: ActionProps) {
  return (
    <Tooltip title={label}>
      <span>
        <IconButton id={id} size="small" aria-label={label} disabled={disabled} onClick={onClick}>
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  )
}

interface RowProps {
  task: TaskDraft
  error: string | undefined
  isFirst: boolean
  isLast: boolean
  /** True while another task is being edited. */
  isLocked: boolean
  idOf: (action: string) => string
  onMove: (by: -1 | 1) => void
  onEdit: () => void
  onRemove: () => void
}

function Row({ task, error, isFirst, isLast, isLocked, idOf, onMove, onEdit, onRemove }: RowProps) {
  const text = useText()
  const { nameOf } = usePeople()
  const { ofMinutes } = useDuration()
  const { title = '', assignedTo, expectedTimeToComplete: expected, priority = 'MEDIUM' } = task.body
  const facts = [
    assignedTo ? nameOf(assignedTo) : text('incidents.unassigned'),
    text('incidents.priorityIs', { priority: text(`incidents.priorities.${priority}`) }),
    expected != null && ofMinutes(expected, 'short'),
  ].filter(Boolean)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {title}
        </Box>
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>{facts.join(' · ')}</Box>
        {error && <FormHelperText error>{error}</FormHelperText>}
      </Box>
      <Box sx={{ display: 'flex', color: 'text.secondary' }}>
        <Action
          id={idOf('up')}
          label={text('incidents.moveUp', { title })}
          icon={<ArrowUpwardRounded />}
          disabled={isFirst}
          onClick={() => onMove(-1)}
        />
        <Action
          id={idOf('down')}
          label={text('incidents.moveDown', { title })}
          icon={<ArrowDownwardRounded />}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <Action
          id={idOf('edit')}
          label={text('incidents.editDraft', { title })}
          icon={<EditRounded />}
          disabled={isLocked}
          onClick={onEdit}
        />
        <Action
          id={idOf('remove')}
          label={text('incidents.removeDraft', { title })}
          icon={<DeleteOutlineRounded />}
          onClick={onRemove}
        />
      </Box>
    </Box>
  )
}

const focusSoon = (elementId: string) =>
  requestAnimationFrame(() => document.getElementById(elementId)?.focus())

/** The open task and the list's actions, each of which moves the focus on. */
function useTaskList({ tasks, onChange, onUnfinished }: Pick<Props, 'tasks' | 'onChange' | 'onUnfinished'>) {
  const text = useText()
  const id = useId()
  const [open, setOpen] = useState(() => draftedForm(DRAFT) ?? null)
  const [announcement, setAnnouncement] = useState('')
  const idOf = (action: string, key: string) => `${id}-${action}-${key}`
  const addId = `${id}-add`
  return {
    id,
    addId,
    idOf,
    open,
    setOpen,
    announcement,
    close: () => {
      if (open) focusSoon(open === NEW ? addId : idOf('edit', open))
      setOpen(null)
      onUnfinished(false)
    },
    move: ({ key, body }: TaskDraft, from: number, by: -1 | 1) => {
      const to = from + by
      const next = tasks.toSpliced(from, 1)
      next.splice(to, 0, tasks[from]!)
      onChange(next)
      const place = { title: body.title ?? '', place: to + 1, count: tasks.length }
      setAnnouncement(text('incidents.taskMoved', place))
      // At an end of the list only the button of the other direction is enabled.
      const goesOn = by < 0 ? to > 0 : to < tasks.length - 1
      focusSoon(idOf(by < 0 === goesOn ? 'up' : 'down', key))
    },
    save: (task: TaskDraft, fields: ActivityFields) =>
      onChange(
        tasks.map((other) =>
          other.key === task.key ? { ...other, body: { ...other.body, ...fields } } : other,
        ),
      ),
    add: (fields: ActivityFields) => onChange([...tasks, draftOf({ type: 'TASK', ...fields })]),
    remove: (task: TaskDraft) => {
      onChange(tasks.filter(({ key }) => key !== task.key))
      focusSoon(addId)
    },
  }
}

const item = { p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }

interface Props {
  tasks: readonly TaskDraft[]
  onChange: (tasks: readonly TaskDraft[]) => void
  /** Called when a task becomes half written or complete. */
  onUnfinished: (unfinished: boolean) => void
  warning: string | undefined
  /** The server's errors by the task's index. */
  errors: Readonly<Record<number, string>>
}

/** The first tasks of a new incident: add, change, remove, reorder. */
export function TaskDrafts({ tasks, onChange, onUnfinished, warning, errors }: Props) {
  const text = useText()
  const cap = useActivityCap()
  const list = useTaskList({ tasks, onChange, onUnfinished })
  const { id, open } = list
  const full = tasks.length >= cap ? tooManyActivities(cap) : undefined
  const form = { kind: 'TASK', onClose: list.close, onDirty: onUnfinished } as const
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1.5 }}>
      <div>
        <Typography id={id} variant="subtitle2" component="h2">
          {text('incidents.firstTasks')}
        </Typography>
        <Typography color="textSecondary">{text('incidents.firstTasksText')}</Typography>
      </div>
      <Box component="output" sx={visuallyHidden}>
        {list.announcement}
      </Box>
      {tasks.length > 0 && (
        <Box component="ol" sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
          {tasks.map((task, index) => (
            <Box component="li" key={task.key} sx={item}>
              {open === task.key ? (
                <ActivityForm
                  {...form}
                  name={task.key}
                  written={writtenOf(task)}
                  inline
                  submitLabel={text('incidents.save')}
                  onSave={(fields) => list.save(task, fields)}
                />
              ) : (
                <Row
                  task={task}
                  error={errors[index]}
                  isFirst={index === 0}
                  isLast={index === tasks.length - 1}
                  isLocked={open !== null}
                  idOf={(action) => list.idOf(action, task.key)}
                  onMove={(by) => list.move(task, index, by)}
                  onEdit={() => list.setOpen(task.key)}
                  onRemove={() => list.remove(task)}
                />
              )}
            </Box>
          ))}
        </Box>
      )}
      {open === NEW ? (
        <Box sx={{ ...item, p: 2, borderColor: 'primary.main' }}>
          <ActivityForm {...form} name={NEW} submitLabel={text('incidents.addTask')} onSave={list.add} />
        </Box>
      ) : (
        <Box>
          <CappedButton
            id={list.addId}
            full={full ?? (open === null ? undefined : text('incidents.cannotAdd'))}
            variant="outlined"
            startIcon={<AddTaskRounded />}
            onClick={() => list.setOpen(NEW)}
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
