import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { type FormEvent, useId } from 'react'

import type { Decision } from '#contract/incident-decisions/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { decisions as words } from '#providers/i18n/decisions.ts'
import { byBack } from '#src/kit/browser/navigation.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import { useDecisionActs } from './queries.ts'
import { useFields } from './useFields.ts'
import { WordsField } from './WordsField.tsx'

interface Props {
  incidentId: string
  /** The proposal to edit; a new one without it. */
  edited?: Decision
  /** The decision in the place of which the new one comes. */
  superseded?: Decision
  onClose: () => void
}

const valuesOf = (one: Decision | undefined, decider: string | null) => ({
  title: one?.title ?? '',
  context: one?.context ?? '',
  options: one?.options.join('\n') ?? '',
  decision: one?.decision ?? '',
  decider: one?.decider ?? decider,
  reason: one?.reason ?? '',
  acceptedRisk: one?.acceptedRisk ?? '',
})

function useDecisionForm({ incidentId, edited, superseded }: Props) {
  const notify = useNotify()
  const { propose, change } = useDecisionActs(incidentId)
  const initial = valuesOf(edited, superseded?.decider ?? null)
  return useFields(initial, async ({ options, decider, ...values }) => {
    const lines = options.split('\n').flatMap((line) => line.trim() || [])
    const body = { ...values, options: lines, decider: decider ?? '' }
    if (edited) {
      await change.mutateAsync({ id: edited.id, body: { ...body, version: edited.version } })
      notify(words.saved, { type: 'success' })
    } else {
      const made = await propose.mutateAsync({ ...body, supersedes: superseded?.id ?? null })
      notify(made.isMine ? words.proposedToMe : words.proposed(made.deciderName), { type: 'success' })
    }
    return true
  })
}

/** Proposes a decision, or edits a proposed one. */
export function DecisionForm(props: Props) {
  const { edited, superseded, onClose } = props
  const formId = useId()
  const { values, change, problems, attempt, isChanged } = useDecisionForm(props)
  const { guard, letGo, leave } = useLeaveGuard(isChanged, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const { busy, submit } = useSubmitOnce(async () => {
    if (!(await attempt())) return
    letGo()
    onClose()
  })
  const close = () => {
    if (!busy) leave(onClose)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  const title = edited
    ? words.editTitle(edited.number)
    : superseded
      ? words.supersedeTitle(superseded.number)
      : words.newTitle
  return (
    <>
      <DialogFrame
        title={title}
        maxWidth="sm"
        onClose={close}
        actions={
          <>
            <CancelButton onClick={close} disabled={busy} />
            <SubmitButton
              form={formId}
              label={edited ? words.save : words.submit}
              busyLabel={edited ? words.saving : words.submitting}
              busy={busy}
            />
          </>
        }
      >
        <Box
          component="form"
          id={formId}
          noValidate
          onSubmit={onSubmit}
          sx={{ display: 'grid', gap: 2, pt: 1 }}
        >
          <TextField
            fullWidth
            autoFocus
            label={words.name}
            value={values.title}
            onChange={({ target }) => change({ title: target.value })}
            error={problems['title'] !== undefined}
            helperText={problems['title']}
            slotProps={{ htmlInput: { maxLength: SHORT_TEXT_MAX, dir: 'auto', 'aria-required': true } }}
          />
          <PersonPicker
            label={words.decider}
            nobody={words.nobody}
            clearLabel={words.clear}
            value={values.decider}
            onChange={(decider) => change({ decider })}
            error={problems['decider']}
          />
          <WordsField
            label={words.context}
            value={values.context}
            onChange={(context) => change({ context })}
            problem={problems['context']}
          />
          <WordsField
            label={words.options}
            value={values.options}
            onChange={(options) => change({ options })}
            problem={problems['options']}
            help={words.optionsHelp}
          />
          <WordsField
            label={words.proposal}
            value={values.decision}
            onChange={(decision) => change({ decision })}
            problem={problems['decision']}
            help={words.proposalHelp}
          />
          <WordsField
            label={words.reason}
            value={values.reason}
            onChange={(reason) => change({ reason })}
            problem={problems['reason']}
          />
          <WordsField
            label={words.acceptedRisk}
            value={values.acceptedRisk}
            onChange={(acceptedRisk) => change({ acceptedRisk })}
            problem={problems['acceptedRisk']}
          />
          {problems['form'] !== undefined && <Alert severity="error">{problems['form']}</Alert>}
        </Box>
      </DialogFrame>
      {guard}
    </>
  )
}
