import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useNotify } from 'react-admin'

import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import {
  RETURN_REASON_REQUIRED,
  saysReason,
  type SituationReport,
  wrote,
} from '#contract/situation-reports/schema.ts'
import { situationReports as words } from '#providers/i18n/situation-reports.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { useText } from '#src/kit/useText.ts'

import { useReportActs } from './queries.ts'

function SendBackDialog({ report, onClose }: { report: SituationReport; onClose: () => void }) {
  const notify = useNotify()
  const { sendBack } = useReportActs(report.incidentId)
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <ConfirmDialog
      open
      title={words.sendBackTitle}
      text={words.sendBackText}
      submitLabel={words.sendBack}
      onSubmit={async () => {
        if (!saysReason(reason)) {
          setMissing(true)
          throw new Error(RETURN_REASON_REQUIRED)
        }
        await sendBack(report, reason.trim())
        notify(words.wentBack, { type: 'success' })
      }}
      explain={(error) => messageOf(error, RETURN_REASON_REQUIRED)}
      onClose={onClose}
    >
      <TextField
        label={words.reason}
        value={reason}
        onChange={({ target }) => {
          setReason(target.value)
          setMissing(false)
        }}
        error={isMissing}
        required
        multiline
        minRows={2}
        maxRows={6}
        fullWidth
        sx={{ mt: 2 }}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: MEDIUM_TEXT_MAX } }}
      />
    </ConfirmDialog>
  )
}

/** A report that waits for a second person, who approves it or sends it back. */
export function WaitingReport({ report, canWrite }: { report: SituationReport; canWrite: boolean }) {
  const text = useText()
  const notify = useNotify()
  const { user } = useSession()
  const { approve, sendBack } = useReportActs(report.incidentId)
  const [isAsked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const isOwn = wrote(report, user?.email ?? '')
  const run = async (act: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await act()
      notify(done, { type: 'success' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {canWrite && <Alert severity="info">{isOwn ? words.waitsForOther : words.waitsForYou}</Alert>}
      <RichTextView html={report.content} />
      {canWrite && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
          {isOwn ? (
            <Button
              color="inherit"
              disabled={busy}
              onClick={() => void run(() => sendBack(report, null), words.wentBack)}
            >
              {words.takeBack}
            </Button>
          ) : (
            <>
              <Button color="inherit" disabled={busy} onClick={() => setAsked(true)}>
                {words.sendBack}
              </Button>
              <Button
                variant="contained"
                disabled={busy}
                onClick={() => void run(() => approve(report), words.published)}
              >
                {words.approve}
              </Button>
            </>
          )}
        </Box>
      )}
      {isAsked && <SendBackDialog report={report} onClose={() => setAsked(false)} />}
    </Box>
  )
}
