import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { useNotify } from 'react-admin'

import { type Decision, ON_BEHALF_MAX } from '#contract/incident-decisions/schema.ts'
import { decisions as words } from '#providers/i18n/decisions.ts'
import { momentOf } from '#src/kit/time/localTime.ts'

import { WhenField } from '../timeline/WhenField.tsx'
import { DecisionDialog } from './DecisionDialog.tsx'
import { useDecisionActs } from './queries.ts'
import { useFields } from './useFields.ts'
import { WordsField } from './WordsField.tsx'

/** Confirms a decision with its last words; an administrator says why on behalf. */
export function ConfirmDecision({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const notify = useNotify()
  const { confirm } = useDecisionActs(decision.incidentId)
  const initial = {
    decision: decision.decision,
    reason: decision.reason,
    acceptedRisk: decision.acceptedRisk,
    onBehalfReason: '',
    decidedTimestamp: '',
  }
  const { values, change, bind, problem, attempt, isChanged } = useFields(
    initial,
    async ({ decidedTimestamp: when, onBehalfReason, ...said }) => {
      const decidedTimestamp = momentOf(when)
      // The field itself says that it does not read the text.
      if (when !== '' && decidedTimestamp === null) return false
      await confirm.mutateAsync({
        id: decision.id,
        body: {
          ...said,
          decidedTimestamp,
          onBehalfReason: decision.isMine ? null : onBehalfReason,
          version: decision.version,
        },
      })
      notify(words.confirmed, { type: 'success' })
      return true
    },
  )
  const form = { isChanged, attempt, problem, onClose }
  return (
    <DecisionDialog
      {...form}
      title={words.confirmTitle(decision.number)}
      lead={words.confirmText}
      submitLabel={words.confirm}
      busyLabel={words.confirming}
    >
      {decision.options.length > 0 && (
        <Box role="group" aria-label={words.options} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {[...new Set(decision.options)].map((option) => (
            <Chip
              key={option}
              clickable
              variant={values.decision === option ? 'filled' : 'outlined'}
              aria-pressed={values.decision === option}
              label={option}
              title={words.take(option)}
              onClick={() => change({ decision: option })}
              sx={{
                height: 'auto',
                minHeight: { xs: 44, sm: 32 },
                '& .MuiChip-label': { whiteSpace: 'normal' },
              }}
            />
          ))}
        </Box>
      )}
      <WordsField required label={words.decided} {...bind('decision')} />
      <WordsField label={words.reason} {...bind('reason')} />
      <WordsField label={words.acceptedRisk} {...bind('acceptedRisk')} />
      {!decision.isMine && (
        <WordsField
          required
          max={ON_BEHALF_MAX}
          label={words.onBehalfReason(decision.deciderName)}
          {...bind('onBehalfReason')}
        />
      )}
      <WhenField label={words.when} {...bind('decidedTimestamp')} />
    </DecisionDialog>
  )
}
