import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import FormHelperText from '@mui/material/FormHelperText'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Controller, type FieldErrors, useForm } from 'react-hook-form'

import {
  type Activity,
  type ChildActivity,
  DESCRIPTION_REQUIRED,
  NewActivity,
  PRIORITIES,
  type Priority,
  UPDATE_DESCRIPTION_REQUIRED,
} from '#contract/incidents/schema.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'
import { FilesField, type FilesPending } from '#src/shared/attachments/FilesField.tsx'
import { usePeople } from '#src/shared/usePeople.ts'

import { useKnownFiles } from './ActivityFiles.tsx'
import { useDuration } from '../list/Duration.tsx'
import { FormField } from '../form/FormField.tsx'
import { PersonPicker } from '../form/PersonPicker.tsx'
import { type ActivityBody } from '../queries.ts'
import { type Stale, StaleNotice, withNames } from './StaleNotice.tsx'
import { minutesOf, TimeFields, type TypedTime, typedTime } from '../form/TimeFields.tsx'

interface Values {
  title: string
  description: string
  priority: Priority
  assignedTo: string | null
  idealTitleToExecute: string
  expected: TypedTime
}
const BLANK: Values = {
  title: '',
  description: '',
  priority: 'MEDIUM',
  assignedTo: null,
  idealTitleToExecute: '',
  expected: { amount: '', unit: 'MINUTES' },
}

/** What is written: a task, an update of the incident, or an update below a task. */
export type ActivityKind = 'TASK' | 'UPDATE' | 'BELOW'
/** What the form begins with. */
export type Written = Partial<
  Pick<Activity, 'title' | 'priority' | 'idealTitleToExecute' | 'expectedTimeToComplete'>
> &
  Pick<ChildActivity, 'description'> & {
    assignedTo?: { email: string } | null
    attachedFileIds?: readonly string[]
    version?: number
  }

const valuesOf = (written: Written | undefined): Values =>
  written
    ? {
        title: written.title ?? '',
        description: written.description,
        priority: written.priority ?? 'MEDIUM',
        assignedTo: written.assignedTo?.email ?? null,
        idealTitleToExecute: written.idealTitleToExecute ?? '',
        expected: typedTime(written.expectedTimeToComplete ?? null),
      }
    : BLANK
const NO_FILES: readonly string[] = []
const sameFiles = (one: readonly string[] = NO_FILES, other: readonly string[] = NO_FILES) =>
  one.join() === other.join()
const same = (one: Written, other: Written) =>
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))

/** What a form was opened with, without what belongs to it otherwise. */
const keptOf = (written: Written): Written => ({
  title: written.title ?? '',
  description: written.description,
  priority: written.priority ?? 'MEDIUM',
  assignedTo: written.assignedTo ? { email: written.assignedTo.email } : null,
  idealTitleToExecute: written.idealTitleToExecute ?? null,
  expectedTimeToComplete: written.expectedTimeToComplete ?? null,
  ...(written.attachedFileIds && { attachedFileIds: written.attachedFileIds }),
  ...(written.version !== undefined && { version: written.version }),
})

/** What was written, without its type. */
export type ActivityFields = Omit<ActivityBody, 'type' | 'parentActivityId'>

function fieldsOf(kind: ActivityKind, values: Values): ActivityFields {
  const { title, description, priority, assignedTo, idealTitleToExecute, expected } = values
  if (kind === 'BELOW') return { description }
  if (kind === 'UPDATE') return { title: title.trim(), description }
  return {
    title: title.trim(),
    description,
    priority,
    assignedTo,
    idealTitleToExecute: idealTitleToExecute.trim() || null,
    expectedTimeToComplete: minutesOf(expected),
  }
}

/** The names of the fields where the contract calls them otherwise. */
const fieldOf = (path: string): keyof Values | undefined =>
  path === 'expectedTimeToComplete' ? 'expected' : path in BLANK ? (path as keyof Values) : undefined

/** What a form's name begins with among the drafts of a page. */
export const DRAFT = 'activity '

interface Props {
  kind: ActivityKind
  /** Tells the forms of one page apart. */
  name: string
  /** The incident that keeps the files; without one, none can be attached. */
  incidentId?: string
  /** What is changed, as it is by now; nothing for a new one. */
  written?: Written
  /** Stands in the place of what it changes rather than above the feed. */
  inline?: boolean
  submitLabel: string
  /** Saves; what it throws is shown here. The version is the one that was read. */
  onSave: (fields: ActivityFields, version: number | undefined) => Promise<unknown> | void
  /** Asks for what is saved by now. */
  onReload?: () => Promise<Written | undefined>
  onClose: () => void
  onDirty: (dirty: boolean) => void
}

/** The form of a task or an update. A refusal keeps everything that was typed. */
export function ActivityForm(props: Props) {
  const { kind, written, inline = false, onDirty, onClose } = props
  const text = useText()
  const { nameOf } = usePeople()
  const { ofMinutes } = useDuration()
  const [base, setBase] = useState(written)
  const [stale, setStale] = useState<Stale | null>(null)
  const [reloading, setReloading] = useState(false)
  const [files, setFiles] = useState<readonly string[]>(written?.attachedFileIds ?? NO_FILES)
  const [pending, setPending] = useState<FilesPending>(null)
  const [held, setHeld] = useState(false)
  const saved = useRef(false)
  const known = useKnownFiles()

  const resolve = (values: Values) => {
    const errors: FieldErrors<Values> = {}
    const parsed = NewActivity.safeParse({
      type: kind === 'TASK' ? 'TASK' : 'UPDATE',
      ...fieldsOf(kind, values),
    })
    for (const { path, message } of parsed.error?.issues ?? []) {
      const field = fieldOf(String(path[0]))
      if (!field || errors[field]) continue
      const plain = !inline && message === UPDATE_DESCRIPTION_REQUIRED ? DESCRIPTION_REQUIRED : message
      const shown = field === 'expected' ? text('incidents.timeInvalid') : plain
      Object.assign(errors, { [field]: { type: 'contract', message: shown } })
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
  const form = useForm<Values>({ defaultValues: valuesOf(base), resolver: resolve })
  const { control, setError, formState } = form
  const { isDirty, isSubmitting } = formState
  const filesDiffer = !sameFiles(files, base?.attachedFileIds)
  useDraft(form, `${DRAFT}${props.name}`, {
    value: { files, base: base && keptOf(base) },
    isTyped: filesDiffer,
    restore: (draft) => {
      setFiles(draft.files)
      // What others changed meanwhile is theirs: saving has to say so.
      if (draft.base) setBase(draft.base)
    },
  })
  const dirty = isDirty || filesDiffer || pending !== null
  useEffect(() => onDirty(dirty), [dirty, onDirty])

  const save = async (values: Values) => {
    setHeld(pending !== null)
    if (pending !== null) return
    setStale(null)
    // A change that touches nothing of what stands here is no reason to refuse.
    const untouched =
      base &&
      written &&
      same(base, written) &&
      (!filesDiffer || sameFiles(base.attachedFileIds, written.attachedFileIds))
    const version = untouched ? written.version : base?.version
    try {
      const attachedFileIds = files.filter((id) => known.has(id) || !base?.attachedFileIds?.includes(id))
      await props.onSave({ ...fieldsOf(kind, values), ...(filesDiffer && { attachedFileIds }) }, version)
      saved.current = true
      onClose()
    } catch (error) {
      const message = withNames(messageOf(error, text('kit.wentWrong')), nameOf)
      const body = error instanceof HttpProblem ? error.body : {}
      if (body.code === 'stale') return setStale({ message, theirs: null })
      const fields = Object.entries(body.fields ?? {}).map(([path, words]) => [fieldOf(path), words] as const)
      for (const [field, words] of fields) if (field) setError(field, { type: 'server', message: words })
      if (!fields.some(([field]) => field)) setError('description', { type: 'server', message })
    }
  }
  /** What somebody else's version says in a field. */
  const shownOf = (theirs: Values, field: keyof Values): string => {
    if (field === 'priority') return text(`incidents.priorities.${theirs.priority}`)
    if (field === 'assignedTo')
      return theirs.assignedTo === null ? text('incidents.unassigned') : nameOf(theirs.assignedTo)
    if (field !== 'expected') return theirs[field] || text('incidents.nothing')
    const minutes = minutesOf(theirs.expected)
    return minutes === null ? text('incidents.nothing') : ofMinutes(minutes)
  }
  /** Files that others attached or took off meanwhile, with what was attached and taken off here. */
  const withOurs = (theirs: readonly string[]): readonly string[] => {
    const before = base?.attachedFileIds ?? NO_FILES
    const kept = theirs.filter((id) => files.includes(id) || !before.includes(id))
    return [...kept, ...files.filter((id) => !before.includes(id) && !kept.includes(id))]
  }
  const reload = async () => {
    setReloading(true)
    const latest = await props.onReload?.().finally(() => setReloading(false))
    if (!latest || !base) return
    const differing = takeLatest(form, valuesOf(base), valuesOf(latest))
    const theirs = differing.map((field) => ({
      label: text(`incidents.fields.${field}`),
      value: shownOf(valuesOf(latest), field),
    }))
    setBase(latest)
    setFiles(withOurs(latest.attachedFileIds ?? NO_FILES))
    setStale((known) => known && { ...known, theirs })
  }
  const keys = (event: KeyboardEvent) => {
    const wanted = event.ctrlKey || event.metaKey
    // Only with the control key: a line break in a hurry must not send what is half written.
    if (event.key === 'Enter' && wanted && !isSubmitting) void form.handleSubmit(save)()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
    else if (event.key === 'Escape' && !dirty && !event.defaultPrevented) onClose()
  }
  return (
    <Box
      component="form"
      noValidate
      aria-label={props.submitLabel}
      onSubmit={(event) => void form.handleSubmit(save)(event)}
      onKeyDown={keys}
      sx={{ display: 'grid', gap: 2 }}
    >
      {kind !== 'BELOW' && (
        <FormField
          control={control}
          name="title"
          label={text(kind === 'TASK' ? 'incidents.taskTitle' : 'incidents.updateTitle')}
          required={kind === 'TASK'}
          autoFocus
        />
      )}
      <FormField
        control={control}
        name="description"
        label={text(kind === 'TASK' ? 'incidents.taskDescription' : 'incidents.updateDescription')}
        required
        multiline
        minRows={kind === 'BELOW' ? 2 : 3}
        maxRows={16}
        autoFocus={kind === 'BELOW'}
      />
      {kind === 'TASK' && (
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
      )}
      {props.incidentId && (
        <div>
          <FilesField
            parent={{ parentType: 'INCIDENT', parentId: props.incidentId }}
            value={files}
            onChange={setFiles}
            known={known}
            onPending={setPending}
            saved={saved}
          />
          {held && pending !== null && (
            <FormHelperText error role="alert">
              {text(pending === 'busy' ? 'attachments.stillUploading' : 'attachments.someFailed')}
            </FormHelperText>
          )}
        </div>
      )}
      {stale && <StaleNotice stale={stale} onReload={() => void reload()} busy={reloading} />}
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
        <Button color="inherit" onClick={onClose} disabled={isSubmitting}>
          {text('kit.cancel')}
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          {props.submitLabel}
        </Button>
      </Box>
    </Box>
  )
}
