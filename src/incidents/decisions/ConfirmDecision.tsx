import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { useNotify } from 'react-admin'
import { type FormEvent, useId } from 'react'

import { type Decision, ON_BEHALF_MAX } from '#contract/incident-decisions/schema.ts'
import { decisions as words } from '#providers/i18n/decisions.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { momentOf } from '#src/kit/time/localTime.ts'

import { WhenField } from '../timeline/WhenField.tsx'
import { useDecisionActs } from './queries.ts'
import { useFields } from './useFields.ts'
import { WordsField } from './WordsField.tsx'

/** Confirms a decision with its last words; an administrator says why on behalf. */
export function ConfirmDecision({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const formId = useId()
  const notify = useNotify()
  const { confirm } = useDecisionActs(decision.incidentId)
  const initial = {
    decision: decision.decision,
    reason: decision.reason,
    acceptedRisk: decision.acceptedRisk,
    onBehalfReason: '',
    when: '',
  }
  const { values, change, problems, attempt } = useFields(
    initial,
    async ({ when, onBehalfReason, ...said }) => {
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
  const { busy, submit } = useSubmitOnce(async () => {
    if (await attempt()) onClose()
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <DialogFrame
      title={words.confirmTitle(decision.number)}
      lead={words.confirmText}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} disabled={busy} />
          <SubmitButton form={formId} label={words.confirm} busyLabel={words.confirming} busy={busy} />
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
        <WordsField
          required
          label={words.decided}
          value={values.decision}
          onChange={(said) => change({ decision: said })}
          problem={problems['decision']}
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
        {!decision.isMine && (
          <WordsField
            required
            max={ON_BEHALF_MAX}
            label={words.onBehalfReason(decision.deciderName)}
            value={values.onBehalfReason}
            onChange={(onBehalfReason) => change({ onBehalfReason })}
            problem={problems['onBehalfReason']}
          />
        )}
        <WhenField
          label={words.when}
          value={values.when}
          onChange={(when) => change({ when })}
          problem={problems['decidedTimestamp']}
        />
        {problems['form'] !== undefined && <Alert severity="error">{problems['form']}</Alert>}
      </Box>
    </DialogFrame>
  )
}
