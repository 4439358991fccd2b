import { useBlocker } from 'ra-core'
import { type ReactNode, useEffect, useRef } from 'react'

import { ConfirmDialog } from '#src/kit/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

interface LeaveGuard {
  /** The question; it belongs somewhere on the page. */
  readonly guard: ReactNode
  /** Lets the next way out pass: what was typed is saved. */
  readonly letGo: () => void
}

/** Asks before a page is left on which something is typed that is not saved. */
export function useLeaveGuard(dirty: boolean): LeaveGuard {
  const text = useText()
  const free = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && !free.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!dirty) return undefined
    const ask = (event: BeforeUnloadEvent) => {
      if (!free.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
  const guard = (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={text('incidents.discardTitle')}
      text={text('incidents.discardText')}
      submitLabel={text('incidents.discard')}
      destructive
      onSubmit={() => {
        free.current = true
        blocker.proceed?.()
      }}
      onClose={() => {
        if (!free.current) blocker.reset?.()
      }}
    />
  )
  return {
    guard,
    letGo: () => {
      free.current = true
    },
  }
}
