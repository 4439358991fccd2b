import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router-dom'

import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { byBack } from '#src/kit/browser/navigation.ts'
import { SheetDialog } from '#src/kit/feedback/SheetDialog.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  title: string
  children: ReactNode
  /** Placed at the start of the row of buttons. */
  aside?: ReactNode
  action?: ReactNode
  closeLabel?: string
  /** Error message above the buttons. */
  problem?: ReactNode
  /** True while closing would lose input. */
  dirty?: boolean
  /** True while a call runs that closing must not interrupt. */
  busy?: boolean
  onClose: () => void
}

/** Closes the dialog when its page is left, and on Back. */
function useClosedByLeaving(close: () => void) {
  const here = useLocation()
  const kind = useNavigationType()
  const known = useRef(here)
  const moveTo = useEffectEvent((place: Location) => {
    const from = known.current
    known.current = place
    if (from !== place && byBack(from, place, kind)) close()
  })
  useEffect(() => moveTo(here), [here])
}

/** A dialog of the account menu. Asks before it discards input. */
export function AccountDialog(props: Props) {
  const { title, children, aside, action, closeLabel, problem, dirty = false, busy = false, onClose } = props
  const text = useText()
  const titleId = useId()
  const { guard, leave } = useLeaveGuard(dirty, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const close = () => {
    if (!busy) leave(onClose)
  }
  useClosedByLeaving(() => {
    if (!busy) onClose()
  })
  return (
    <SheetDialog open onClose={close} maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2.5 }}>{children}</DialogContent>
      {problem && (
        <Alert severity="error" sx={{ mx: 3, mb: 2 }}>
          {problem}
        </Alert>
      )}
      <DialogActions>
        {aside && <span style={{ marginInlineEnd: 'auto' }}>{aside}</span>}
        <Button color="inherit" onClick={close} disabled={busy}>
          {closeLabel ?? text('kit.cancel')}
        </Button>
        {action}
      </DialogActions>
      {guard}
    </SheetDialog>
  )
}
