import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import { signOut } from '#providers/send.ts'
import { useText } from '#src/kit/useText.ts'

import { changeMe } from './queries.ts'

/** Blocks the application until the terms are accepted; the only other way is to sign out (foundation §4). */
export function TermsDialog() {
  const text = useText()
  const notify = useNotify()
  const titleId = useId()
  const textId = useId()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const agree = async () => {
    setBusy(true)
    setFailed(false)
    try {
      await changeMe({ acceptedTerms: true })
      notify(text('account.agreement.accepted'), { type: 'success' })
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog open maxWidth="xs" aria-labelledby={titleId} aria-describedby={textId}>
      <DialogTitle id={titleId}>{text('account.agreement.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText id={textId}>{text('account.agreement.text')}</DialogContentText>
        {(['terms', 'privacy'] as const).map((page) => (
          <Link
            key={page}
            href={`/${page}`}
            target="_blank"
            rel="noreferrer"
            aria-label={`${text(`account.${page}`)} (${text('account.opensTab')})`}
            sx={{ justifySelf: 'start' }}
          >
            {text(`account.${page}`)}
          </Link>
        ))}
        {failed && <Alert severity="error">{text('account.agreement.notAccepted')}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" disabled={busy} onClick={() => void signOut()}>
          {text('account.agreement.logout')}
        </Button>
        <Button variant="contained" loading={busy} onClick={() => void agree()}>
          {text('account.agreement.agree')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
