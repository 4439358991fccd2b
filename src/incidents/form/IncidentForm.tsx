import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type KeyboardEvent, useId, useState } from 'react'
import { Controller, type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { Link, Navigate, useNavigate } from 'react-router-dom'

import { incidentCan } from '#contract/incidents/rules.ts'
import {
  type Incident,
  MULTIPLE_NOT_ENABLED,
  NewIncident,
  type Severity,
  type TargetedGroup,
} from '#contract/incidents/schema.ts'
import { personWith } from '#contract/kit/access.ts'
import { LONG_TEXT_MAX } from '#contract/kit/text.ts'
import { briefOf, type PlaybookForIncident, tasksOf } from '#contract/playbooks/rules.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { trimmed, wordsOf } from '#src/kit/rich-text/prose.ts'
import { RichText } from '#src/kit/rich-text/RichText.tsx'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#src/shared/usePeople.ts'

import { useDuration } from '../list/Duration.tsx'
import { ExerciseFrame } from '../page/ExerciseFrame.tsx'
import { FormField } from './FormField.tsx'
import { KindField } from './KindField.tsx'
import { PlaybookField } from './PlaybookField.tsx'
import {
  type IncidentBody,
  type Kinds,
  useCreateIncident,
  useIncident,
  usePlaybooks,
  useUpdateIncident,
} from '../queries.ts'
import { RoomField } from './RoomField.tsx'
import { SeverityField } from './SeverityField.tsx'
import { type Stale, StaleNotice, withNames } from '../feed/StaleNotice.tsx'
import { TargetField } from './TargetField.tsx'
import { draftOf, type TaskDraft, TaskDrafts } from './TaskDrafts.tsx'
import { amountOf, TimeFields, type TypedTime } from './TimeFields.tsx'

interface Values {
  title: string
  fullText: string
  severity: Severity
  isTabletop: boolean
  recovery: TypedTime
  onlySelected: boolean
  targetedUsers: string[]
  targetedGroupIds: string[]
}

const valuesOf = (incident: Incident): Values => ({
  title: incident.title,
  fullText: incident.fullText,
  severity: incident.severity,
  isTabletop: incident.isTabletop,
  recovery: {
    amount: incident.estimatedTimeToRecovery?.toString() ?? '',
    unit: incident.estimatedTimeToRecoveryTimeUnit ?? 'HOURS',
  },
  onlySelected: incident.isTargeted,
  targetedUsers: incident.targetedUsers,
  targetedGroupIds: incident.targetedGroups.map(({ id }) => id),
})
const same = (one: Incident, other: Incident) =>
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))

function bodyOf(values: Values): IncidentBody {
  const amount = amountOf(values.recovery)
  return {
    title: values.title.trim(),
    fullText: trimmed(values.fullText),
    severity: values.severity,
    isTabletop: values.isTabletop,
    estimatedTimeToRecovery: amount,
    estimatedTimeToRecoveryTimeUnit: amount === null ? null : values.recovery.unit,
    targetedUsers: values.onlySelected ? values.targetedUsers : [],
    targetedGroupIds: values.onlySelected ? values.targetedGroupIds : [],
  }
}
const FIELDS: { readonly [path: string]: keyof Values } = {
  title: 'title',
  fullText: 'fullText',
  severity: 'severity',
  isTabletop: 'isTabletop',
  estimatedTimeToRecovery: 'recovery',
  estimatedTimeToRecoveryTimeUnit: 'recovery',
  targetedUsers: 'targetedUsers',
  targetedGroupIds: 'targetedUsers',
}
/** The chat needs its permission (operations §6). */
const CHATS = personWith('chats')
const NO_GROUPS: readonly TargetedGroup[] = []
const fieldOf = (path: string): keyof Values | undefined => FIELDS[path.split('.')[0] ?? '']

interface Props {
  /** What is changed, as it is by now; nothing for a new one. */
  incident?: Incident
  kinds: Kinds
}

/** The form of an incident. A refusal keeps everything that was typed. */
export function IncidentForm({ incident, kinds }: Props) {
  const text = useText()
  const navigate = useNavigate()
  const formId = useId()
  const { nameOf } = usePeople()
  const duration = useDuration()
  const { refetch, isFetching } = useIncident(incident?.id ?? '', incident !== undefined)
  const create = useCreateIncident()
  const update = useUpdateIncident(incident?.id ?? '')
  const [base, setBase] = useState(incident)
  const [tasks, setTasks] = useState<readonly TaskDraft[]>([])
  const [unfinished, setUnfinished] = useState(false)
  const playbooks = usePlaybooks()
  const [playbook, setPlaybook] = useState<PlaybookForIncident | null>(null)
  /** The first tasks as the playbook gave them. */
  const [given, setGiven] = useState<readonly TaskDraft[]>([])
  const can = useCan()
  const [room, setRoom] = useState(false)
  const [warned, setWarned] = useState(false)
  const [stale, setStale] = useState<Stale | null>(null)
  const [refusal, setRefusal] = useState<{
    sentence: string
    details?: string
    tasks: Record<number, string>
  }>()
  const templateOf = (isTabletop: boolean) => {
    const kind = isTabletop ? 'exercise' : 'incident'
    return `<h2>${text(`incidents.overview.${kind}`)}</h2><p></p><h2>${text(`incidents.plan.${kind}`)}</h2>`
  }

  const resolve = (values: Values) => {
    const errors: FieldErrors<Values> = {}
    const parsed = NewIncident.safeParse(bodyOf(values))
    for (const { path, message } of parsed.error?.issues ?? []) {
      const field = fieldOf(String(path[0]))
      if (!field || errors[field]) continue
      const shown = field === 'recovery' ? text('incidents.timeInvalid') : message
      Object.assign(errors, { [field]: { type: 'contract', message: shown } })
    }
    if (values.onlySelected && values.targetedUsers.length + values.targetedGroupIds.length === 0)
      Object.assign(errors, { targetedUsers: { type: 'required', message: text('incidents.nobodyChosen') } })
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
  const [blank] = useState<Values>(() => ({
    title: '',
    fullText: templateOf(!kinds.incident),
    severity: 'MEDIUM',
    isTabletop: !kinds.incident,
    recovery: { amount: '', unit: 'HOURS' },
    onlySelected: false,
    targetedUsers: [],
    targetedGroupIds: [],
  }))
  const form = useForm<Values>({ defaultValues: base ? valuesOf(base) : blank, resolver: resolve })
  const { control, setError, setValue, getValues, formState } = form
  const { isDirty, isSubmitting } = formState
  useDraft(form, 'incident', {
    value: { tasks, playbook, room, asGiven: tasks === given },
    isTyped: tasks.length > 0 || playbook !== null || room,
    restore: (draft) => {
      setTasks(draft.tasks)
      setPlaybook(draft.playbook)
      setRoom(draft.room)
      if (draft.asGiven) setGiven(draft.tasks)
    },
  })
  const isTabletop = useWatch({ control, name: 'isTabletop' })
  const { guard, letGo } = useLeaveGuard(
    isDirty || tasks.length > 0 || unfinished || room || playbook !== null,
  )
  const home = incident ? `/incidents/${incident.id}` : '/incidents'
  const name = text(incident ? 'incidents.editIncident' : 'incidents.create')

  const chooseKind = (exercise: boolean) => {
    const untouched = !incident && trimmed(getValues('fullText')) === templateOf(!exercise)
    setValue('isTabletop', exercise, { shouldDirty: true })
    if (untouched) setValue('fullText', templateOf(exercise), { shouldDirty: true })
  }
  const begins = (html: string) =>
    [templateOf(isTabletop), playbook ? trimmed(briefOf(playbook)) : ''].includes(trimmed(html))
  const choosePlaybook = (chosen: PlaybookForIncident | null) => {
    setPlaybook(chosen)
    if (!chosen) return
    setValue('fullText', briefOf(chosen), { shouldDirty: true })
    const first = tasksOf(chosen).map(draftOf)
    setTasks(first)
    setGiven(first)
  }
  /** What an incident begins with, beside what it is. */
  const beginning = () => ({
    createBreakoutRoom: room,
    ...(playbook && { attachmentsFolderIdForDuplication: playbook.attachmentsFolderId }),
    // Files that tasks refer to come with the playbook only.
    activityCreateRequests: tasks.map(({ body: { attachedFileIds, ...task } }) =>
      playbook && attachedFileIds ? { ...task, attachedFileIds } : task,
    ),
  })
  const save = async (values: Values) => {
    setStale(null)
    setRefusal(undefined)
    setWarned(unfinished)
    if (unfinished) return
    const body = bodyOf(values)
    // A change that touches nothing of what stands here is no reason to refuse.
    const version = base && incident && same(base, incident) ? incident.version : base?.version
    try {
      const saved = incident
        ? await update.mutateAsync({ ...body, ...(version && { version }) })
        : await create.mutateAsync({ ...body, ...beginning() })
      letGo()
      // The form is no place to come back to.
      void navigate(`/incidents/${saved.id}`, { replace: true })
    } catch (error) {
      refuse(error)
    }
  }
  const refuse = (error: unknown) => {
    const problem = error instanceof HttpProblem ? error.body : {}
    if (problem.code === 'stale')
      return setStale({ message: withNames(messageOf(error, ''), nameOf), theirs: null })
    if (statusOf(error) === 403) return setRefusal({ sentence: MULTIPLE_NOT_ENABLED, tasks: {} })
    const wrongTasks: Record<number, string> = {}
    for (const [path, words] of Object.entries(problem.fields ?? {})) {
      const field = fieldOf(path)
      const task = /^activityCreateRequests\.(\d+)/.exec(path)?.[1]
      if (field) setError(field, { type: 'server', message: words })
      else if (task !== undefined) wrongTasks[Number(task)] = words
    }
    const sentence = text(incident ? 'incidents.updateFailed' : 'incidents.createFailed')
    setRefusal({ sentence, details: messageOf(error, ''), tasks: wrongTasks })
  }
  const labelOf = (field: keyof Values) => text(`incidents.labels.${field}`)
  /** What somebody else's version says in a field. */
  const shownOf = (latest: Incident, field: keyof Values): string => {
    const { estimatedTimeToRecovery: time, estimatedTimeToRecoveryTimeUnit: unit } = latest
    const nobody = text('incidents.nothing')
    const shown: { readonly [F in keyof Values]: () => string } = {
      title: () => latest.title,
      fullText: () => wordsOf(latest.fullText),
      severity: () => text(`incidents.severities.${latest.severity}`),
      isTabletop: () => text(latest.isTabletop ? 'incidents.exercise' : 'incidents.incident'),
      recovery: () => (time && unit ? duration.of(time, unit) : text('incidents.recoveryUnknown')),
      onlySelected: () => text(latest.isTargeted ? 'incidents.onlySelectedText' : 'incidents.everybodyText'),
      targetedUsers: () => latest.targetedUsers.map(nameOf).join(', ') || nobody,
      targetedGroupIds: () => latest.targetedGroups.map(({ name: group }) => group).join(', ') || nobody,
    }
    return shown[field]()
  }
  const reload = async () => {
    const { data: latest } = await refetch()
    if (!latest || !base) return
    const differing = takeLatest(form, valuesOf(base), valuesOf(latest))
    const theirs = differing.map((field) => ({ label: labelOf(field), value: shownOf(latest, field) }))
    setBase(latest)
    setStale((known) => known && { ...known, theirs })
  }
  const keys = (event: KeyboardEvent) => {
    // A line break in a hurry must not send what is half written.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
  }

  const resolved = incident !== undefined && !incidentCan.edit(incident)
  if (resolved && !isDirty) return <Navigate to="/incidents" replace />
  return (
    <ExerciseFrame exercise={isTabletop}>
      <PageTitle title={name} />
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          maxWidth: 840,
          mx: 'auto',
        }}
      >
        <Box
          component="form"
          id={formId}
          noValidate
          aria-label={name}
          onSubmit={form.handleSubmit(save)}
          onKeyDown={keys}
          sx={{ display: 'grid', gap: 3 }}
        >
          <KindField exercise={isTabletop} kinds={kinds} onChange={chooseKind} />
          {!incident && (playbooks.length > 0 || playbook) && (
            <PlaybookField
              playbooks={playbooks}
              value={playbook}
              onChange={choosePlaybook}
              replaces={() => !begins(getValues('fullText')) || (tasks.length > 0 && tasks !== given)}
            />
          )}
          <FormField
            control={control}
            name="title"
            label={text('incidents.labels.title')}
            required
            autoFocus={!incident}
          />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 3 }}>
            <Controller
              control={control}
              name="severity"
              render={({ field }) => <SeverityField value={field.value} onChange={field.onChange} />}
            />
            <Controller
              control={control}
              name="recovery"
              render={({ field, fieldState }) => (
                <TimeFields
                  label={text('incidents.recovery')}
                  value={field.value}
                  onChange={field.onChange}
                  onBlur={field.onBlur}
                  inputRef={field.ref}
                  error={fieldState.error?.message}
                  help={text('incidents.recoveryHelp')}
                />
              )}
            />
          </Box>
          <Controller
            control={control}
            name="fullText"
            render={({ field, fieldState }) => (
              <RichText
                ref={field.ref}
                label={text('incidents.labels.fullText')}
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={fieldState.error?.message}
                maxLength={LONG_TEXT_MAX}
                minHeight={240}
                maxHeight={520}
                required
              />
            )}
          />
          <TargetField control={control} groups={base?.targetedGroups ?? NO_GROUPS} />
          {!incident && can(CHATS) && <RoomField value={room} onChange={setRoom} />}
        </Box>
        {!incident && (
          <TaskDrafts
            tasks={tasks}
            onChange={setTasks}
            onUnfinished={setUnfinished}
            warning={warned && unfinished ? text('incidents.unfinishedTask') : undefined}
            errors={refusal?.tasks ?? {}}
          />
        )}
        {resolved && <Alert severity="warning">{text('incidents.resolvedMeanwhile')}</Alert>}
        {stale && <StaleNotice stale={stale} onReload={() => void reload()} busy={isFetching} />}
        {refusal && (
          <Alert severity="error">
            <div>{refusal.sentence}</div>
            {refusal.details && <div>{refusal.details}</div>}
          </Alert>
        )}
        <Box
          sx={{
            position: 'sticky',
            bottom: { xs: 'calc(56px + env(safe-area-inset-bottom))', sm: 0 },
            zIndex: 2,
            display: 'flex',
            justifyContent: 'flex-end',
            gap: 1,
            py: 1.5,
            bgcolor: 'background.default',
            borderTop: 1,
            borderColor: 'divider',
          }}
        >
          <Button component={Link} to={home} color="inherit">
            {text('kit.cancel')}
          </Button>
          <Button type="submit" form={formId} variant="contained" loading={isSubmitting}>
            {incident
              ? text('incidents.save')
              : text(isTabletop ? 'incidents.createExercise' : 'incidents.create')}
          </Button>
        </Box>
      </Box>
      {guard}
    </ExerciseFrame>
  )
}
