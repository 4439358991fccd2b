import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'

import { type FollowUp, FOLLOW_UP_DETAILS_MAX, FOLLOW_UP_DUE_REQUIRED } from '#contract/follow-ups/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { followUps as words } from '#providers/i18n/follow-ups.ts'
import { localTime, momentOf } from '#src/kit/time/localTime.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import { DecisionDialog } from '../decisions/DecisionDialog.tsx'
import { useFields } from '../decisions/useFields.ts'
import { WordsField } from '../decisions/WordsField.tsx'
import { WhenField } from '../timeline/WhenField.tsx'
import { useFollowUpActs } from './queries.ts'

interface Props {
  incidentId: string
  /** The follow-up to edit; a new one without it. */
  edited?: FollowUp
  onClose: () => void
}

function useFollowUpForm({ incidentId, edited }: Props) {
  const notify = useNotify()
  const { add, change } = useFollowUpActs()
  const initial = {
    title: edited?.title ?? '',
    details: edited?.details ?? '',
    owner: edited?.owner?.email ?? null,
    dueTimestamp: localTime(edited?.dueTimestamp),
  }
  return useFields(initial, async ({ owner, dueTimestamp: due, ...said }, refuse) => {
    // The field shows minutes: an unchanged time keeps its seconds.
    const dueTimestamp = edited && due === initial.dueTimestamp ? edited.dueTimestamp : momentOf(due)
    if (dueTimestamp === null) {
      refuse({ dueTimestamp: FOLLOW_UP_DUE_REQUIRED })
      return false
    }
    const body = { ...said, owner: owner ?? '', dueTimestamp }
    if (edited) {
      await change.mutateAsync({ id: edited.id, body: { ...body, version: edited.version } })
      notify(words.saved, { type: 'success' })
    } else {
      const made = await add.mutateAsync({ incidentId, body })
      const name = made.owner ? fullName(made.owner) || made.owner.email : words.nobody
      notify(made.isMine ? words.addedToMe : words.added(name), { type: 'success' })
    }
    return true
  })
}

/** Adds a follow-up to an incident, or edits one. */
export function FollowUpDialog(props: Props) {
  const { edited, onClose } = props
  const { bind, problem, attempt, isChanged } = useFollowUpForm(props)
  const { value: title, onChange: rename, problem: titleProblem } = bind('title')
  const { problem: ownerProblem, ...owner } = bind('owner')
  return (
    <DecisionDialog
      isChanged={isChanged}
      attempt={attempt}
      problem={problem}
      onClose={onClose}
      title={edited ? words.editTitle : words.addTitle}
      submitLabel={edited ? words.save : words.add}
      busyLabel={edited ? words.saving : words.adding}
    >
      <TextField
        fullWidth
        autoFocus
        label={words.what}
        value={title}
        onChange={({ target }) => rename(target.value)}
        error={titleProblem !== undefined}
        helperText={titleProblem}
        slotProps={{ htmlInput: { maxLength: SHORT_TEXT_MAX, dir: 'auto', 'aria-required': true } }}
      />
      <WordsField label={words.details} max={FOLLOW_UP_DETAILS_MAX} {...bind('details')} />
      <PersonPicker
        label={words.owner}
        nobody={words.choose}
        clearLabel={words.clear}
        {...owner}
        error={ownerProblem}
      />
      <WhenField label={words.until} {...bind('dueTimestamp')} />
    </DecisionDialog>
  )
}
