import { useNotify } from 'react-admin'

import type { DutyClock } from '#contract/duties/schema.ts'
import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'

import { DecisionDialog } from '../decisions/DecisionDialog.tsx'
import { useFields } from '../decisions/useFields.ts'
import { WordsField } from '../decisions/WordsField.tsx'
import { useClockActs } from './queries.ts'

/** Ends a clock that is not needed, with a reason. */
export function SetAsideDialog({ clock, onClose }: { clock: DutyClock; onClose: () => void }) {
  const notify = useNotify()
  const { setAside } = useClockActs(clock.incidentId)
  const { bind, problem, attempt, isChanged } = useFields({ reason: '' }, async ({ reason }) => {
    await setAside.mutateAsync({ clock, reason })
    notify(words.isSetAside(clock.name), { type: 'success' })
    return true
  })
  return (
    <DecisionDialog
      isChanged={isChanged}
      attempt={attempt}
      problem={problem}
      onClose={onClose}
      title={words.setAsideTitle(clock.name)}
      lead={words.setAsideLead}
      submitLabel={words.setAside}
      busyLabel={words.saving}
    >
      <WordsField required label={words.reason} max={MEDIUM_TEXT_MAX} {...bind('reason')} />
    </DecisionDialog>
  )
}
