import Dialog, { type DialogProps } from '@mui/material/Dialog'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useSyncExternalStore } from 'react'

import { PHONE } from '../layout/breakpoints.ts'

function subscribe(listener: () => void) {
  window.visualViewport?.addEventListener('resize', listener)
  window.visualViewport?.addEventListener('scroll', listener)
  return () => {
    window.visualViewport?.removeEventListener('resize', listener)
    window.visualViewport?.removeEventListener('scroll', listener)
  }
}
/** Pixels covered by an on-screen keyboard; 0 where the browser shrinks the window instead. */
const keyboardHeight = () => {
  const seen = window.visualViewport
  // A zoomed page also has a smaller visual viewport.
  if (!seen || seen.scale > 1.01) return 0
  return Math.max(0, Math.round(window.innerHeight - seen.height - seen.offsetTop))
}

const nothing = () => 0

/** A dialog that is a bottom sheet on phones: as high as its content, and above the keyboard. */
export function SheetDialog({ children, ...props }: DialogProps) {
  const phone = useMediaQuery(PHONE, { noSsr: true })
  // The height is read only while shown, because reading it forces a layout.
  const covered = useSyncExternalStore(subscribe, phone && props.open ? keyboardHeight : nothing)
  if (!phone) return <Dialog {...props}>{children}</Dialog>
  return (
    <Dialog
      {...props}
      scroll="paper"
      slotProps={{
        container: { sx: { alignItems: 'flex-end' } },
        paper: {
          sx: {
            m: 0,
            mb: `${covered}px`,
            width: '100%',
            maxWidth: '100%',
            maxHeight: `calc(100dvh - ${covered + 16}px)`,
            borderWidth: '1px 0 0',
            borderRadius: '12px 12px 0 0',
            pb: covered > 0 ? 0 : 'env(safe-area-inset-bottom)',
          },
        },
      }}
    >
      {children}
    </Dialog>
  )
}
