import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import FormHelperText from '@mui/material/FormHelperText'
import type { ReactNode } from 'react'
import { type Control, Controller, type UseFormReturn } from 'react-hook-form'

import { PRIORITIES } from '#contract/incidents/schema.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DescriptionField } from '#src/kit/rich-text/DescriptionField.tsx'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { useText } from '#src/kit/useText.ts'
import { FilesField } from '#src/attachments/FilesField.tsx'

import { FormField } from '../form/FormField.tsx'
import { PersonPicker } from '#src/users/PersonPicker.tsx'
import { TimeFields } from '#src/playbooks/TimeFields.tsx'
import type { ActivityKind, ActivityValues } from './activityValues.ts'
import { StaleNotice } from './StaleNotice.tsx'
import { type ActivityFormOptions, useActivityForm } from './useActivityForm.ts'

interface WordsProps {
  kind: ActivityKind
  form: UseFormReturn<ActivityValues>
}
/** The description of a task, which may have formatting. */
function TaskDescription({ form, children }: Pick<WordsProps, 'form'> & { children: ReactNode }) {
  const text = useText()
  const { description: words, formattedDescription: formatting } = form.formState.errors
  return (
    <Controller
      control={form.control}
      name="formattedDescription"
      render={({ field }) => (
        <DescriptionField
          label={text('incidents.taskDescription')}
          value={form.getValues('description')}
          html={field.value ?? null}
          onChange={(html, description) => {
            field.onChange(html)
            form.setValue('description', description, {
              shouldDirty: true,
              shouldValidate: form.formState.isSubmitted,
            })
          }}
          error={formatting?.message ?? words?.message}
          required
        >
          {children}
        </DescriptionField>
      )}
    />
  )
}

function Words({ kind, form }: WordsProps) {
  const text = useText()
  const { control } = form
  const description = (
    <FormField
      control={control}
      name="description"
      label={text(kind === 'TASK' ? 'incidents.taskDescription' : 'incidents.updateDescription')}
      required
      multiline
      minRows={kind === 'BELOW' ? 2 : 3}
      maxRows={16}
      // The text matters, not the optional title above it.
      autoFocus={kind !== 'TASK'}
    />
  )
  return (
    <>
      {kind !== 'BELOW' && (
        <FormField
          control={control}
          name="title"
          label={text(kind === 'TASK' ? 'incidents.taskTitle' : 'incidents.updateTitle')}
          required={kind === 'TASK'}
          autoFocus={kind === 'TASK'}
        />
      )}
      {kind === 'TASK' ? <TaskDescription form={form}>{description}</TaskDescription> : description}
    </>
  )
}

function TaskFields({ control }: { control: Control<ActivityValues> }) {
  const text = useText()
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
      }}
    >
      <Controller
        control={control}
        name="assignedTo"
        render={({ field, fieldState }) => (
          <PersonPicker
            label={text('incidents.assignee')}
            nobody={text('incidents.unassigned')}
            clearLabel={text('incidents.unassign')}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <FormField control={control} name="priority" label={text('incidents.priority')} select>
        {PRIORITIES.toReversed().map((priority) => (
          <MenuItem key={priority} value={priority}>
            {text(`incidents.priorities.${priority}`)}
          </MenuItem>
        ))}
      </FormField>
      <FormField control={control} name="idealTitleToExecute" label={text('incidents.idealTitle')} />
      <Controller
        control={control}
        name="due"
        render={({ field, fieldState }) => (
          <MomentField
            label={text('incidents.fields.due')}
            // A draft of an earlier release has none.
            value={field.value ?? ''}
            onChange={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            problem={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="expected"
        render={({ field, fieldState }) => (
          <TimeFields
            label={text('incidents.expectedTime')}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            error={fieldState.error?.message}
          />
        )}
      />
    </Box>
  )
}

type FormState = ReturnType<typeof useActivityForm>

function Files({ incidentId, state }: { incidentId: string; state: FormState }) {
  const text = useText()
  const { files, setFiles, knownFiles, pending, setPending, saved, isHeld } = state
  return (
    <div>
      <FilesField
        parent={{ parentType: 'INCIDENT', parentId: incidentId }}
        value={files}
        onChange={setFiles}
        known={knownFiles}
        onPending={setPending}
        saved={saved}
      />
      {isHeld && (
        <FormHelperText error role="alert">
          {text(pending === 'busy' ? 'attachments.stillUploading' : 'attachments.someFailed')}
        </FormHelperText>
      )}
    </div>
  )
}

interface Props extends ActivityFormOptions {
  /** Incident that stores the files; without it no files can be attached. */
  readonly incidentId?: string
  readonly submitLabel: string
}

export function ActivityForm(props: Props) {
  const { kind, incidentId, submitLabel, onClose } = props
  const state = useActivityForm(props)
  const { form, latest } = state
  const { isSubmitting } = form.formState
  return (
    <Box
      component="form"
      noValidate
      aria-label={submitLabel}
      onSubmit={(event) => void state.submit(event)}
      onKeyDown={state.onKeyDown}
      sx={{ display: 'grid', gap: 2 }}
    >
      <Words kind={kind} form={form} />
      {kind === 'TASK' && <TaskFields control={form.control} />}
      {incidentId && <Files incidentId={incidentId} state={state} />}
      {latest.stale && (
        <StaleNotice stale={latest.stale} onReload={() => void latest.load()} busy={latest.isLoading} />
      )}
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
        <CancelButton onClick={onClose} disabled={isSubmitting} />
        <Button type="submit" variant="contained" loading={isSubmitting}>
          {submitLabel}
        </Button>
      </Box>
    </Box>
  )
}
