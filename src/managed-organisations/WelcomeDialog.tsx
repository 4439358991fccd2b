import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { type ReactNode, useId, useState } from 'react'

import type { ManagedOrganisation } from '#contract/managed-organisations/schema.ts'
import { managementWelcomeApi } from '#contract/welcome/api.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

type Act = 'send' | 'withdraw' | 'retry'

/** Recipient and expiry of the link, and the reason for a failed population. */
function Invitation({ id }: { id: string }) {
  const text = useText()
  const { data } = useQuery({
    queryKey: ['management/organizations', 'welcomePackage', id],
    queryFn: ({ signal }) => call(managementWelcomeApi.get, { params: { id }, signal }),
  })
  if (!data) return null
  const { sentTimestamp: sent, sentTo, expiresTimestamp: expires, failure } = data
  const facts: [string, ReactNode][] = [
    ...(sentTo ? [[text('management.welcome.sentTo'), sentTo] as [string, ReactNode]] : []),
    ...(sent
      ? [[text('management.welcome.sentAt'), <Time key="sent" at={sent} />] as [string, ReactNode]]
      : []),
    ...(expires
      ? [[text('management.welcome.expires'), <Time key="expires" at={expires} />] as [string, ReactNode]]
      : []),
    ...(failure ? [[text('management.welcome.failure'), failure] as [string, ReactNode]] : []),
  ]
  return (
    <Box sx={{ mt: 2 }}>
      <Facts facts={facts} />
    </Box>
  )
}

/** Actions on an organisation's welcome package, by its state (administration §4). */
export function WelcomeDialog({ record, onClose }: { record: ManagedOrganisation; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const titleId = useId()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<Act>()
  const [problem, setProblem] = useState<string>()
  const {
    id,
    enterprise,
    adminUser,
    welcomePackageStatus: status,
    welcomePackageSentTimestamp: sent,
  } = record
  const failed = status === 'ERROR'
  const words = { name: enterprise.displayName, email: adminUser?.email ?? '' }
  const run = async (act: Act) => {
    setBusy(act)
    setProblem(undefined)
    const params = { id }
    try {
      if (act === 'send') await call(managementWelcomeApi.send, { params, query: { feUrl: location.origin } })
      else await call(managementWelcomeApi[act], { params })
      notify(text(`management.welcome.done.${act}`, words), { type: 'success' })
      void queryClient.invalidateQueries({ queryKey: ['management/organizations'] })
      onClose()
    } catch (error) {
      setProblem(messageOf(error, text('management.organizations.failed')))
      setBusy(undefined)
    }
  }
  const question = failed
    ? 'management.welcome.failedText'
    : adminUser
      ? 'management.welcome.text'
      : 'management.welcome.noAdministrator'
  return (
    <Dialog open onClose={busy ? undefined : onClose} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{text('management.welcome.title', words)}</DialogTitle>
      <DialogContent>
        <DialogContentText>{text(question, words)}</DialogContentText>
        {status !== null && <Invitation id={id} />}
        {problem && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        {sent && !failed && (
          <Button
            color="error"
            disabled={busy !== undefined}
            onClick={() => void run('withdraw')}
            sx={{ mr: 'auto' }}
          >
            {text('management.welcome.withdraw')}
          </Button>
        )}
        <CancelButton onClick={onClose} disabled={busy !== undefined} />
        <Button
          variant="contained"
          loading={busy !== undefined && busy !== 'withdraw'}
          disabled={!failed && adminUser === null}
          onClick={() => void run(failed ? 'retry' : 'send')}
        >
          {text(
            failed
              ? 'management.welcome.retry'
              : status !== null
                ? 'management.welcome.sendAgain'
                : 'management.welcome.send',
          )}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
