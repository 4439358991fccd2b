import { type ReactNode, useState } from 'react'

import { TwoFactorDialog } from './TwoFactorDialog.tsx'
import { needsVerification } from './verification.ts'

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
    <TwoFactorDialog onVerified={() => waiting.settle(true)} onClose={() => waiting.settle(false)} />
  )
  return { whenVerified, asking: waiting !== undefined, dialog }
}
