import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId, useState } from 'react'

import { ConfirmDialog } from '#src/kit/ConfirmDialog.tsx'
import { PHONE } from '#src/kit/resourceLayout.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  title: string
  children: ReactNode
  /** At the start of the row of buttons, away from the others. */
  aside?: ReactNode
  /** The button that does it. */
  action?: ReactNode
  closeLabel?: string
  /** What went wrong, above the buttons. */
  problem?: string | undefined
  /** Whether something would be lost. */
  dirty?: boolean
  /** While something is under way that must not be left alone. */
  busy?: boolean
  onClose: () => void
}

/** A dialog of the signed-in person's own. It closes by itself only when nothing would be lost. */
export function AccountDialog(props: Props) {
  const { title, children, aside, action, closeLabel, problem, dirty = false, busy = false, onClose } = props
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [asking, setAsking] = useState(false)
  const leave = () => {
    if (busy) return
    if (dirty) setAsking(true)
    else onClose()
  }
  return (
    <Dialog
      open
      onClose={leave}
      maxWidth="xs"
      fullScreen={phone}
      aria-labelledby={titleId}
      {...(phone && { slotProps: { paper: { sx: { border: 0 } } } })}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2.5 }}>{children}</DialogContent>
      {problem && (
        <Alert severity="error" sx={{ mx: 3, mb: 2 }}>
          {problem}
        </Alert>
      )}
      <DialogActions>
        {aside && <span style={{ marginInlineEnd: 'auto' }}>{aside}</span>}
        <Button color="inherit" onClick={leave} disabled={busy}>
          {closeLabel ?? text('kit.cancel')}
        </Button>
        {action}
      </DialogActions>
      <ConfirmDialog
        open={asking}
        title={text('grid.discardTitle')}
        text={text('grid.discardText')}
        submitLabel={text('grid.discard')}
        cancelLabel={text('grid.keepEditing')}
        destructive
        onSubmit={onClose}
        onClose={() => setAsking(false)}
      />
    </Dialog>
  )
}
