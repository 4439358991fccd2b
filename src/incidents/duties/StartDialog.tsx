import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormHelperText from '@mui/material/FormHelperText'
import Box from '@mui/material/Box'
import { useId } from 'react'
import { useNotify } from 'react-admin'

import { awareProblem } from '#contract/duties/rules.ts'
import { AWARE_REQUIRED, type DutyClocks } from '#contract/duties/schema.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'
import { serverNow } from '#providers/serverClock.ts'
import { localTime, momentOf } from '#src/kit/time/localTime.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import { DecisionDialog } from '../decisions/DecisionDialog.tsx'
import { useFields } from '../decisions/useFields.ts'
import { WhenField } from '../timeline/WhenField.tsx'
import { useClockActs } from './queries.ts'

interface Props {
  incidentId: string
  startable: DutyClocks['startable']
  /** Time of awareness of the clocks that run already. */
  aware: string | null
  onClose: () => void
}

function useStart({ incidentId, startable, aware }: Props) {
  const notify = useNotify()
  const { start } = useClockActs(incidentId)
  const initial = {
    awareTimestamp: localTime(aware),
    dutyIds: startable.map(({ id }) => id),
    holder: null as string | null,
  }
  return useFields(initial, async ({ awareTimestamp: typed, dutyIds, holder }, refuse) => {
    const at = aware !== null && typed === initial.awareTimestamp ? aware : momentOf(typed)
    const problem = at === null ? AWARE_REQUIRED : awareProblem(at, serverNow())
    if (at === null || problem !== null) {
      refuse({ awareTimestamp: problem ?? AWARE_REQUIRED })
      return false
    }
    await start.mutateAsync({ awareTimestamp: at, dutyIds, holder })
    notify(words.started, { type: 'success' })
    return true
  })
}

/** Starts clocks from a time of awareness. */
export function StartDialog(props: Props) {
  const { startable, onClose } = props
  const helpId = useId()
  const { values, bind, problem, attempt, isChanged } = useStart(props)
  const { onChange: choose, problem: dutiesProblem } = bind('dutyIds')
  const { problem: holderProblem, ...holder } = bind('holder')
  const toggle = (id: string, isChosen: boolean) =>
    choose(isChosen ? [...values.dutyIds, id] : values.dutyIds.filter((one) => one !== id))
  return (
    <DecisionDialog
      isChanged={isChanged}
      attempt={attempt}
      problem={problem}
      onClose={onClose}
      title={words.startTitle}
      lead={words.startLead}
      submitLabel={words.start}
      busyLabel={words.starting}
    >
      <WhenField label={words.aware} {...bind('awareTimestamp')} />
      <FormGroup role="group" aria-label={words.which} aria-describedby={helpId}>
        {startable.map(({ id, name, hours, filedTo }) => (
          <FormControlLabel
            key={id}
            control={
              <Checkbox
                checked={values.dutyIds.includes(id)}
                onChange={(_, isChosen) => toggle(id, isChosen)}
              />
            }
            label={
              <Box sx={{ overflowWrap: 'anywhere' }}>
                {name} · {words.hours(hours)}
                {filedTo !== null && (
                  <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>{filedTo}</Box>
                )}
              </Box>
            }
            sx={{ minHeight: 44 }}
          />
        ))}
        <FormHelperText id={helpId} error>
          {dutiesProblem}
        </FormHelperText>
      </FormGroup>
      <PersonPicker
        label={words.holder}
        nobody={words.me}
        clearLabel={words.clear}
        {...holder}
        error={holderProblem}
      />
    </DecisionDialog>
  )
}
