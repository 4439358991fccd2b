import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'

import type { Decision } from '#contract/incident-decisions/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { decisions as words } from '#providers/i18n/decisions.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import { DecisionDialog } from './DecisionDialog.tsx'
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
  const { bind, problem, attempt, isChanged } = useDecisionForm(props)
  const title = edited
    ? words.editTitle(edited.number)
    : superseded
      ? words.supersedeTitle(superseded.number)
      : words.newTitle
  const form = { isChanged, attempt, problem, onClose }
  const { value: name, onChange: rename, problem: nameProblem } = bind('title')
  const { problem: deciderProblem, ...decider } = bind('decider')
  return (
    <DecisionDialog
      {...form}
      title={title}
      submitLabel={edited ? words.save : words.submit}
      busyLabel={edited ? words.saving : words.submitting}
    >
      <TextField
        fullWidth
        autoFocus
        label={words.name}
        value={name}
        onChange={({ target }) => rename(target.value)}
        error={nameProblem !== undefined}
        helperText={nameProblem}
        slotProps={{ htmlInput: { maxLength: SHORT_TEXT_MAX, dir: 'auto', 'aria-required': true } }}
      />
      <PersonPicker
        label={words.decider}
        nobody={words.nobody}
        clearLabel={words.clear}
        {...decider}
        error={deciderProblem}
      />
      <WordsField label={words.context} {...bind('context')} />
      <WordsField label={words.options} help={words.optionsHelp} {...bind('options')} />
      <WordsField label={words.proposal} help={words.proposalHelp} {...bind('decision')} />
      <WordsField label={words.reason} {...bind('reason')} />
      <WordsField label={words.acceptedRisk} {...bind('acceptedRisk')} />
    </DecisionDialog>
  )
}
