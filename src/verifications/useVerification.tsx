import { type ReactNode, useState } from 'react'

import { TwoFactorDialog } from './TwoFactorDialog.tsx'
import { needsVerification } from './verification.ts'

interface VerificationGate {
  /**
   * Does something for which the session may have to be verified. Where the server says so the person is asked, and the
   * act is done again. Returns whether it was done: it was not where they cancelled.
   */
  readonly whenVerified: (act: () => Promise<void>) => Promise<boolean>
  /** Whether the person is being asked: a dialog that began the act makes way meanwhile. */
  readonly asking: boolean
  /** The question; it belongs somewhere on the page. */
  readonly dialog: ReactNode
}

/** Asks for a verification where an act is refused without one. */
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
