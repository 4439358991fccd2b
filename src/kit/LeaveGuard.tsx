import { useBlocker } from 'ra-core'
import { type ReactNode, useEffect, useRef } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useText } from './useText.ts'

interface LeaveGuard {
  /** The question; it belongs somewhere on the page. */
  readonly guard: ReactNode
  /** Lets the next way out pass: what was typed is saved. */
  readonly letGo: () => void
}

interface Place {
  readonly pathname: string
  readonly search: string
}
const toAnotherPage = (from: Place, to: Place) => from.pathname !== to.pathname

interface Options {
  /** What leads away from what is typed; another page unless said. */
  readonly leaves?: (from: Place, to: Place) => boolean
  readonly question?: TextKey
}

/** Asks before a page is left on which something is typed that is not saved. */
export function useLeaveGuard(
  dirty: boolean,
  { leaves = toAnotherPage, question = 'grid.leaveText' }: Options = {},
): LeaveGuard {
  const text = useText()
  const free = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && !free.current && leaves(currentLocation, nextLocation),
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
      title={text('grid.discardTitle')}
      text={text(question)}
      submitLabel={text('grid.discard')}
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
