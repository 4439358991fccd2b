import { type ReactNode, Suspense, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'

import { needsVerification } from './needsVerification.ts'

const TwoFactorDialog = lazy(async () => ({
  default: (await import('./TwoFactorDialog.tsx')).TwoFactorDialog,
}))

interface VerificationGate {
  /**
   * Runs an action for which the session may have to be verified. If the server says so, asks the person and
   * runs it again. Resolves to false if they cancelled.
   */
  readonly whenVerified: (act: () => Promise<void>) => Promise<boolean>
  /** True while the person is asked: a dialog that began the action hides meanwhile. */
  readonly asking: boolean
  /** The verification dialog, to be rendered on the page. */
  readonly dialog: ReactNode
}

/** Asks for a verification when an action is refused without one. */
export function useVerification(): VerificationGate {
  const [waiting, setWaiting] = useState<{ settle: (verified: boolean) => void }>()
  const verify = () =>
    new Promise<boolean>((resolve) => {
      const settle = (verified: boolean) => {
        setWaiting(undefined)
        resolve(verified)
      }
      setWaiting({ settle })
    })
  const whenVerified = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      if (!needsVerification(error)) throw error
      if (!(await verify())) return false
      await act()
    }
    return true
  }
  const dialog = waiting && (
    <Suspense>
      <TwoFactorDialog onVerified={() => waiting.settle(true)} onClose={() => waiting.settle(false)} />
    </Suspense>
  )
  return { whenVerified, asking: waiting !== undefined, dialog }
}
