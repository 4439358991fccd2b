import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type KeyboardEvent, Suspense } from 'react'
import { type Control, Controller, useWatch } from 'react-hook-form'
import { Link, Navigate } from 'react-router-dom'

import { incidentCan } from '#contract/incidents/rules.ts'
import type { TargetingIncident } from '#contract/incidents/schema.ts'
import { personWith } from '#contract/kit/access.ts'
import { LONG_TEXT_MAX } from '#contract/kit/text.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { RichText } from '#src/kit/rich-text/RichText.tsx'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { useText } from '#src/kit/useText.ts'

import { StaleNotice } from '../feed/StaleNotice.tsx'
import { ExerciseFrame } from '../page/ExerciseFrame.tsx'
import type { Kinds } from '../queries.ts'
import { FormField } from './FormField.tsx'
import type { IncidentValues } from './incidentValues.ts'
import { KindField } from './KindField.tsx'
import { PlaybookField } from './PlaybookField.tsx'
import { RoomField } from './RoomField.tsx'
import { SeverityField } from './SeverityField.tsx'
import { TargetField } from './TargetField.tsx'
import { TaskDrafts } from './TaskDrafts.tsx'
import { TimeFields } from '#src/playbooks/TimeFields.tsx'
import { useIncidentForm } from './useIncidentForm.ts'

const PlaybookQuestions = lazy(async () => ({
  default: (await import('../playbooks/PlaybookQuestions.tsx')).PlaybookQuestions,
}))
const StartActs = lazy(async () => ({ default: (await import('../playbooks/StartActs.tsx')).StartActs }))

const KindChoice = lazy(async () => ({ default: (await import('../kinds/KindChoice.tsx')).KindChoice }))
const OwnFields = lazy(async () => ({ default: (await import('../kinds/OwnFields.tsx')).OwnFields }))
const ReasonField = lazy(async () => ({ default: (await import('../correct/ReasonField.tsx')).ReasonField }))

/** Breakout rooms need the permission for the chat (operations §6). */
const CHATS = personWith('chats')
const NO_VALUES: TargetingIncident['fieldValues'] = {}

/** Keeps Enter in a text field from submitting a half-written form. */
function keepEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

function SeverityAndRecovery({ control }: { control: Control<IncidentValues> }) {
  const text = useText()
  const isTabletop = useWatch({ control, name: 'isTabletop' })
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 3 }}>
      <Controller
        control={control}
        name="severity"
        render={({ field }) => (
          <SeverityField value={field.value} exercise={isTabletop} onChange={field.onChange} />
        )}
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
  )
}

function TextField({ control }: { control: Control<IncidentValues> }) {
  const text = useText()
  return (
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
  )
}

type FormState = ReturnType<typeof useIncidentForm>

/** Playbook choice of a new incident, for people who may read playbooks (operations §6). */
function PlaybookChoice({ form: { control }, contents, choosePlaybook, playbookReplaces }: FormState) {
  const canRead = useCan()(playbooksAccess.read)
  const [isTabletop, severity, title] = useWatch({ control, name: ['isTabletop', 'severity', 'title'] })
  if (!canRead) return null
  return (
    <PlaybookField
      value={contents.playbook}
      onChange={choosePlaybook}
      replaces={playbookReplaces}
      declared={{ isTabletop, severity, title }}
    />
  )
}

/** The questions of the chosen playbook, and its acts at the start. */
function PlaybookPart({ contents }: FormState) {
  const { playbook, answers, setAnswers, room } = contents
  if (!playbook) return null
  return (
    <Suspense>
      <PlaybookQuestions activities={playbook.activities} value={answers} onChange={setAnswers} />
      <StartActs
        start={playbook.start}
        hasRoom={room}
        left={answers.leftActs}
        onChange={(leftActs) => setAnswers({ ...answers, leftActs })}
      />
    </Suspense>
  )
}

function RoomChoice({ contents }: FormState) {
  const canChat = useCan()(CHATS)
  return canChat ? <RoomField value={contents.room} onChange={contents.setRoom} /> : null
}

interface EditedProps {
  /** Undefined for a new one, which needs no reason. */
  incident: TargetingIncident | undefined
  state: FormState
}

/** The reason of a changed title, severity or kind. */
function ChangeReason({ incident, state: { form, reason, setReason } }: EditedProps) {
  const [title, severity, isTabletop, kindId] = useWatch({
    control: form.control,
    name: ['title', 'severity', 'isTabletop', 'kindId'],
  })
  const isAsked =
    incident &&
    (title.trim() !== incident.title ||
      severity !== incident.severity ||
      isTabletop !== incident.isTabletop ||
      kindId !== (incident.kindId ?? ''))
  if (!isAsked) return null
  return (
    <Suspense>
      <ReasonField value={reason} onChange={setReason} />
    </Suspense>
  )
}

/** The kind among those of the organisation. */
function OwnKind({ incident, state: { form, proposeFor } }: EditedProps) {
  return (
    <Suspense>
      <KindChoice
        form={form}
        stored={incident?.fieldValues ?? NO_VALUES}
        onChoose={(kind) => void proposeFor(kind)}
      />
    </Suspense>
  )
}

/** Messages about the save: conflicts and refusals. */
function Notices({ isResolved, state: { latest, refusal } }: { isResolved: boolean; state: FormState }) {
  const text = useText()
  return (
    <>
      {isResolved && <Alert severity="warning">{text('incidents.resolvedMeanwhile')}</Alert>}
      {latest.stale && (
        <StaleNotice stale={latest.stale} onReload={() => void latest.load()} busy={latest.isLoading} />
      )}
      {refusal && (
        <Alert severity="error">
          <div>{refusal.sentence}</div>
          {refusal.details && <div>{refusal.details}</div>}
        </Alert>
      )}
    </>
  )
}

interface ButtonsProps {
  formId: string
  cancelTo: string
  submitLabel: string
  isSubmitting: boolean
}

function Buttons({ formId, cancelTo, submitLabel, isSubmitting }: ButtonsProps) {
  const text = useText()
  const bar = useDockedHeight()
  return (
    <Box
      ref={bar}
      sx={{
        position: 'sticky',
        bottom: { xs: 'calc(56px + env(safe-area-inset-bottom))', sm: 0 },
        zIndex: 2,
        display: 'flex',
        justifyContent: 'flex-end',
        gap: 1,
        py: 1.5,
        // Also covers the edges of the fields below.
        mx: '-2px',
        px: '2px',
        bgcolor: 'background.default',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Button component={Link} to={cancelTo} color="inherit">
        {text('kit.cancel')}
      </Button>
      <Button type="submit" form={formId} variant="contained" loading={isSubmitting}>
        {submitLabel}
      </Button>
    </Box>
  )
}

interface Props {
  /** Current version of the edited incident; undefined for a new one. */
  incident?: TargetingIncident
  /** Proposes the fields of a new one. */
  like?: TargetingIncident
  kinds: Kinds
}

export function IncidentForm({ incident, like, kinds }: Props) {
  const text = useText()
  const state = useIncidentForm(incident, kinds, like)
  const { form, contents } = state
  const { control, formState } = form
  const isTabletop = useWatch({ control, name: 'isTabletop' })
  const isNew = incident === undefined
  const isResolved = !isNew && !incidentCan.edit(incident)
  const name = text(isNew ? 'incidents.create' : 'incidents.editIncident')
  const createLabel = text(isTabletop ? 'incidents.createExercise' : 'incidents.create')

  if (isResolved && !formState.isDirty) return <Navigate to="/incidents" replace />
  return (
    <ExerciseFrame exercise={isTabletop}>
      <PageTitle title={name} />
      <Box sx={{ display: 'grid', gap: 3, maxWidth: 840, mx: 'auto' }}>
        <Box
          component="form"
          id={state.formId}
          noValidate
          aria-label={name}
          onSubmit={state.submit}
          onKeyDown={keepEnter}
          sx={{ display: 'grid', gap: 3 }}
        >
          <OwnKind incident={incident} state={state} />
          <KindField exercise={isTabletop} kinds={kinds} onChange={state.chooseKind} />
          {isNew && <PlaybookChoice {...state} />}
          <FormField
            control={control}
            name="title"
            label={text('incidents.labels.title')}
            required
            autoFocus={isNew}
          />
          <SeverityAndRecovery control={control} />
          <ChangeReason incident={incident} state={state} />
          <TextField control={control} />
          <Suspense>
            <OwnFields control={control} />
          </Suspense>
          <TargetField control={control} groups={state.targetedGroups} />
          {isNew && (
            <>
              <RoomChoice {...state} />
              <PlaybookPart {...state} />
            </>
          )}
        </Box>
        {isNew && (
          <TaskDrafts
            tasks={contents.tasks}
            onChange={contents.setTasks}
            onUnfinished={state.setHasOpenTask}
            warning={state.taskWarning}
            errors={state.refusal?.tasks ?? {}}
          />
        )}
        <Notices isResolved={isResolved} state={state} />
        <Buttons
          formId={state.formId}
          cancelTo={isNew ? '/incidents' : `/incidents/${incident.id}`}
          submitLabel={isNew ? createLabel : text('incidents.save')}
          isSubmitting={formState.isSubmitting}
        />
      </Box>
      {state.guard}
    </ExerciseFrame>
  )
}
