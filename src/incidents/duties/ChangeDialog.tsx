import { useNotify } from 'react-admin'

import { awareProblem } from '#contract/duties/rules.ts'
import { AWARE_REQUIRED, type DutyClock } from '#contract/duties/schema.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'
import { serverNow } from '#providers/serverClock.ts'
import { localTime, momentOf } from '#src/kit/time/localTime.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import { DecisionDialog } from '../decisions/DecisionDialog.tsx'
import { useFields } from '../decisions/useFields.ts'
import { WhenField } from '../timeline/WhenField.tsx'
import { useClockActs } from './queries.ts'

/** Changes the time of awareness of a running clock, and who files it. */
export function ChangeDialog({ clock, onClose }: { clock: DutyClock; onClose: () => void }) {
  const notify = useNotify()
  const { change } = useClockActs(clock.incidentId)
  const initial = { awareTimestamp: localTime(clock.awareTimestamp), holder: clock.holder?.email ?? null }
  const { bind, problem, attempt, isChanged } = useFields(
    initial,
    async ({ awareTimestamp: typed, holder }, refuse) => {
      // The field shows minutes: an unchanged time keeps its seconds.
      const at = typed === initial.awareTimestamp ? clock.awareTimestamp : momentOf(typed)
      const wrong = at === null ? AWARE_REQUIRED : awareProblem(at, serverNow())
      if (at === null || wrong !== null) {
        refuse({ awareTimestamp: wrong ?? AWARE_REQUIRED })
        return false
      }
      await change.mutateAsync({ clock, body: { awareTimestamp: at, ...(holder !== null && { holder }) } })
      notify(words.changed, { type: 'success' })
      return true
    },
  )
  const { problem: holderProblem, ...holder } = bind('holder')
  return (
    <DecisionDialog
      isChanged={isChanged}
      attempt={attempt}
      problem={problem}
      onClose={onClose}
      title={words.changeTitle(clock.name)}
      submitLabel={words.change}
      busyLabel={words.saving}
    >
      <WhenField label={words.aware} {...bind('awareTimestamp')} />
      <PersonPicker
        label={words.holder}
        nobody={words.nobody}
        clearLabel={words.clear}
        {...holder}
        error={holderProblem}
      />
    </DecisionDialog>
  )
}
