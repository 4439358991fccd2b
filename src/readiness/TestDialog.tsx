import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'

import { needsApproval } from '#contract/mass-notifications/rules.ts'
import { testWords } from '#contract/readiness/rules.ts'
import type { Readiness } from '#contract/readiness/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { useConfig } from '#src/config/useConfig.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useText } from '#src/kit/useText.ts'

import { hasFields } from './problems.ts'
import { useChannels, useStartTest } from './queries.ts'
import { useWhom } from './useWhom.ts'
import { bodyOf, WhomFields } from './WhomFields.tsx'

/** Usual characters of an SMS (administration §9). */
const USUAL_SMS_LIMIT = 100

/** Sends a communication test now, after showing to whom, how and with what words. */
export function TestDialog({ board, onClose }: { board: Readiness; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const config = useConfig()
  const channels = useChannels(true)
  const start = useStartTest()
  const offered = channels.data?.types ?? ['EMAIL']
  const { whom, setWhom, problems, check } = useWhom(
    { everybody: true, groups: [], types: ['EMAIL'] },
    start.error,
  )
  const words = testWords(
    channels.data?.organisation ?? '',
    config?.massNotifsSmsMessageLimit ?? USUAL_SMS_LIMIT,
  )
  const isGuarded = whom.everybody && config !== undefined && needsApproval(config, board.people, words.level)
  const submit = () => {
    if (!check()) return
    start.mutate(bodyOf(whom), {
      onSuccess: ({ state, asked }) => {
        notify(
          state === 'WAITING' ? text('readiness.waits') : text('readiness.started', { smart_count: asked }),
          { type: 'success' },
        )
        onClose()
      },
    })
  }
  return (
    <DialogFrame
      title={text('readiness.startTitle')}
      lead={<Box sx={{ color: 'text.secondary' }}>{text('readiness.startText')}</Box>}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <>
          <Button color="inherit" onClick={onClose}>
            {text('kit.cancel')}
          </Button>
          <Button variant="contained" loading={start.isPending} onClick={submit}>
            {text('readiness.startSubmit')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {start.error && !hasFields(start.error) && (
          <Alert severity="error">{messageOf(start.error, text('kit.wentWrong'))}</Alert>
        )}
        {isGuarded && <Alert severity="info">{text('readiness.approvalNeeded')}</Alert>}
        <WhomFields
          value={whom}
          onChange={setWhom}
          offered={offered}
          people={board.people}
          problems={problems}
        />
        <Box component="section" aria-label={text('readiness.words')}>
          <Box sx={{ mb: 0.5, fontWeight: 600 }}>{text('readiness.words')}</Box>
          <Box
            dir="auto"
            sx={{ p: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, overflowWrap: 'anywhere' }}
          >
            {whom.types.includes('EMAIL') || whom.types.length === 0 ? (
              <>
                <Box sx={{ fontWeight: 600 }}>{words.title}</Box>
                <Box sx={{ whiteSpace: 'pre-line' }}>{words.emailMessage}</Box>
              </>
            ) : (
              words.smsMessage
            )}
          </Box>
        </Box>
      </Box>
    </DialogFrame>
  )
}
