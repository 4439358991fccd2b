import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId, useState } from 'react'

import { messageOf } from '#providers/problem.ts'

import { SheetDialog } from './SheetDialog.tsx'
import { useText } from '../useText.ts'

interface Props {
  open: boolean
  title: string
  /** The consequence, naming the record. */
  text?: ReactNode
  children?: ReactNode
  submitLabel?: string
  cancelLabel?: string
  destructive?: boolean
  disabled?: boolean
  /** The confirmed action. Its error is shown in the dialog, which stays open. */
  onSubmit: () => unknown
  /** Maps an error to a message, where the refusal's own does not suit. */
  explain?: (error: unknown) => string
  /** Called after a success too. */
  onClose: () => void
}

/** Confirms an action. */
export function ConfirmDialog(props: Props) {
  const { open, title, text: question, children, destructive = false, disabled = false } = props
  const text = useText()
  const titleId = useId()
  const textId = useId()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const close = () => {
    if (busy) return
    setProblem(undefined)
    props.onClose()
  }
  const submit = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await props.onSubmit()
      props.onClose()
    } catch (error) {
      setProblem(props.explain?.(error) ?? messageOf(error, text('kit.wentWrong')))
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetDialog
      open={open}
      onClose={close}
      maxWidth="xs"
      aria-labelledby={titleId}
      aria-describedby={textId}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        {question !== undefined && <DialogContentText id={textId}>{question}</DialogContentText>}
        {children}
        {problem && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={close} disabled={busy} color="inherit">
          {props.cancelLabel ?? text('kit.cancel')}
        </Button>
        <Button
          variant="contained"
          color={destructive ? 'error' : 'primary'}
          loading={busy}
          disabled={disabled}
          onClick={() => void submit()}
          autoFocus={!destructive}
        >
          {props.submitLabel ?? text('kit.submit')}
        </Button>
      </DialogActions>
    </SheetDialog>
  )
}
