import './second-factor.css'

import { lazy, Suspense, useState } from 'react'

import type { SecondFactorData, SessionData } from '#contract/sessions/schema.ts'
import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { beginSession } from '#providers/session.ts'
import { entryState, go } from '#src/kit/browser/location.ts'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'

import { AppStep, EmailStep } from './CodeStep.tsx'

// In one file with the code screen: both are for visits that do not go straight through.
export { Lockout } from './Lockout.tsx'

// Once in the life of an account.
const EnrolmentStep = lazy(async () => ({ default: (await import('./EnrolmentStep.tsx')).EnrolmentStep }))
const RecoveryCodes = lazy(async () => ({ default: (await import('./RecoveryCodes.tsx')).RecoveryCodes }))

interface Props {
  pending: SecondFactorData
  /** The address that is signing in. */
  email: string
  onCancel: () => void
  onExpired: () => void
}

/**
 * Step 2 of sign-in (foundation §2 "Login screen flow"). What it knows is kept in memory only: a reload begins again
 * with the password.
 */
export function SecondFactor({ pending: given, email, onCancel, onExpired }: Props) {
  const [pending, setPending] = useState(given)
  const [complete, setComplete] = useState<SessionData>()
  const enter = (data: SessionData) => {
    const { next } = entryState()
    beginSession(data)
    go(next ?? '/', { replace: true })
  }
  // The application opens only when the codes were seen: nobody can show them again.
  const onDone = (data: SessionData) => (data.recoveryCodes?.length ? setComplete(data) : enter(data))
  const step = { pending, onDone, onCancel, onExpired }

  return (
    <PlainPage title={complete ? texts.codesTitle : titleOf(pending)} product={signIn.product}>
      <Suspense>
        {complete ? (
          <RecoveryCodes
            codes={complete.recoveryCodes ?? []}
            email={complete.user.email}
            onContinue={() => enter(complete)}
          />
        ) : !pending.initialized ? (
          <EnrolmentStep {...step} onEnrolled={() => setPending({ ...pending, initialized: true })} />
        ) : pending.secondFactorType === 'EMAIL' ? (
          <EmailStep {...step} email={email} />
        ) : (
          <AppStep {...step} />
        )}
      </Suspense>
    </PlainPage>
  )
}

const titleOf = ({ initialized }: SecondFactorData) => (initialized ? texts.title : texts.enrolTitle)
