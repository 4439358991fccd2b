import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { type KeyboardEvent, Suspense, useEffect, useEffectEvent, useId } from 'react'

import { PRIORITIES, type Priority } from '#contract/incidents/schema.ts'
import { HEADING_LEVEL_MAX } from '#contract/playbooks/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DescriptionField } from '#src/kit/rich-text/DescriptionField.tsx'
import { useText } from '#src/kit/useText.ts'
import { TimeFields } from '../TimeFields.tsx'

import type { FieldsProps, ItemErrors } from './editorValues.ts'
import { useSortableItem } from './ItemRow.tsx'

const TaskFiles = lazy(async () => ({ default: (await import('./TaskFiles.tsx')).TaskFiles }))

function ItemDescription({ item, errors, onChange, isRequired }: FieldsProps & { isRequired: boolean }) {
  const text = useText()
  const error = errors.description ?? errors.formattedDescription
  const label = text('playbooks.taskDescription')
  return (
    <DescriptionField
      label={label}
      value={item.description}
      html={item.formattedDescription}
      onChange={(formattedDescription, description) => onChange({ formattedDescription, description })}
      error={error}
      required={isRequired}
    >
      <TextField
        label={label}
        value={item.description}
        onChange={({ target }) => onChange({ description: target.value })}
        required={isRequired}
        multiline
        minRows={isRequired ? 3 : 2}
        maxRows={16}
        error={error !== undefined}
        helperText={error}
        slotProps={{ htmlInput: { dir: 'auto' } }}
      />
    </DescriptionField>
  )
}

const LEVELS = Array.from({ length: HEADING_LEVEL_MAX }, (_, n) => n + 1)
function HeadingFields(props: FieldsProps) {
  const { item, errors, onChange } = props
  const text = useText()
  return (
    <>
      <TextField
        label={text('playbooks.condition')}
        value={item.condition}
        onChange={({ target }) => onChange({ condition: target.value })}
        error={errors.condition !== undefined}
        helperText={errors.condition ?? text('playbooks.conditionHelp')}
        slotProps={{ htmlInput: { dir: 'auto', autoComplete: 'off' } }}
      />
      <ItemDescription {...props} isRequired={false} />
      <TextField
        select
        label={text('playbooks.level')}
        value={item.level}
        onChange={({ target }) => onChange({ level: Number(target.value) })}
        error={errors.level !== undefined}
        helperText={errors.level ?? text('playbooks.levelHelp')}
        sx={{ maxWidth: 320 }}
      >
        {LEVELS.map((level) => (
          <MenuItem key={level} value={level}>
            {level}
          </MenuItem>
        ))}
      </TextField>
    </>
  )
}

function TaskFields(props: FieldsProps) {
  const { item, errors, onChange } = props
  const text = useText()
  return (
    <>
      <ItemDescription {...props} isRequired />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(220px, 100%), 1fr))',
        }}
      >
        <TextField
          select
          label={text('playbooks.priority')}
          value={item.priority}
          onChange={({ target }) => onChange({ priority: target.value as Priority })}
        >
          {PRIORITIES.toReversed().map((priority) => (
            <MenuItem key={priority} value={priority}>
              {text(`playbooks.priorities.${priority}`)}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          label={text('playbooks.idealTitle')}
          value={item.idealTitleToExecute}
          onChange={({ target }) => onChange({ idealTitleToExecute: target.value })}
          error={errors.idealTitleToExecute !== undefined}
          helperText={errors.idealTitleToExecute}
          slotProps={{ htmlInput: { dir: 'auto' } }}
        />
        <TimeFields
          label={text('playbooks.expectedTime')}
          value={item.expectedTimeToComplete}
          onChange={(expectedTimeToComplete) => onChange({ expectedTimeToComplete })}
          error={errors.expectedTimeToComplete}
        />
      </Box>
    </>
  )
}

interface Props extends Omit<FieldsProps, 'errors'> {
  errors: ItemErrors | undefined
  /** Id of the playbook whose files are offered; undefined before its first save. */
  playbookId: string | undefined
  onDone: () => void
  onCancel: () => void
  /** Called once the form is on the page. */
  onShown: () => void
}

const NO_ERRORS: ItemErrors = {}

/** The form of the open item. Input changes the playbook at once; Cancel reverts it. */
export function ItemForm(props: Props) {
  const { item, errors = NO_ERRORS, onChange, playbookId, onDone, onCancel, onShown } = props
  const text = useText()
  const titleId = useId()
  const { setNodeRef, style } = useSortableItem(item.key, true)
  const isTask = item.type === 'TASK'
  const shown = useEffectEvent(onShown)
  useEffect(() => shown(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    // Keeps Enter in a text field from saving the whole playbook.
    event.preventDefault()
    if (!isTask) onDone()
  }
  return (
    <li ref={setNodeRef} style={style}>
      <Box
        role="group"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
        sx={{
          display: 'grid',
          gap: 2,
          my: 1,
          p: 2,
          border: 1,
          borderColor: 'primary.main',
          borderRadius: 1,
          bgcolor: 'background.paper',
        }}
      >
        <Box id={titleId} sx={{ fontWeight: 600 }}>
          {text(isTask ? 'playbooks.task' : 'playbooks.heading')}
        </Box>
        <TextField
          label={text(isTask ? 'playbooks.taskTitle' : 'playbooks.heading')}
          value={item.title}
          onChange={({ target }) => onChange({ title: target.value })}
          required
          autoFocus
          error={errors.title !== undefined}
          helperText={errors.title}
          slotProps={{ htmlInput: { dir: 'auto', autoComplete: 'off' } }}
        />
        {isTask ? (
          <TaskFields item={item} errors={errors} onChange={onChange} />
        ) : (
          <HeadingFields item={item} errors={errors} onChange={onChange} />
        )}
        {isTask && playbookId !== undefined && (
          <Suspense
            fallback={
              <Skeleton role="status" variant="rounded" height={40} aria-label={text('kit.loading')} />
            }
          >
            <TaskFiles item={item} errors={errors} onChange={onChange} playbookId={playbookId} />
          </Suspense>
        )}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <CancelButton onClick={onCancel} />
          <Button variant="outlined" onClick={onDone}>
            {text('playbooks.done')}
          </Button>
        </Box>
      </Box>
    </li>
  )
}
