import Button from '@mui/material/Button'
import { Suspense, useEffect, useRef, useState } from 'react'

import { lockout } from '#providers/i18n/second-factor.ts'
import { staffSignIn as texts } from '#providers/i18n/staff-sign-in.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { go } from '#src/kit/browser/location.ts'
import { Boot } from '#src/kit/feedback/Boot.tsx'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { Lockout } from '#src/kit/feedback/Lockout.tsx'
import { PublicLink } from '#src/sign-in/PublicLink.tsx'
import { STAFF_SIGN_IN } from '#src/sign-in/publicRoutes.ts'

import type { LinkResult } from './queries.ts'

const loadQueries = () => import('./queries.ts')
const StaffSecondFactor = lazy(async () => ({
  default: (await import('./StaffSecondFactor.tsx')).StaffSecondFactor,
}))

/** Signs staff in with a mailed link, and removes its id from the address (administration §2.2). */
export function StaffLinkPage({ id }: { id: string }) {
  const [result, setResult] = useState<LinkResult>()
  // A link works once: React's second run of effects in development must not use it up.
  const begun = useRef(false)
  const begin = async () => {
    setResult(undefined)
    const { openLink, enter } = await loadQueries()
    const opened = await openLink(id)
    if (opened.kind !== 'in') return setResult(opened)
    enter(opened.session)
    return go('/management/organizations', { replace: true })
  }
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    begin().catch(() => setResult({ kind: 'failed' }))
  })
  if (!result || result.kind === 'in') return <Boot />
  if (result.kind === 'pending')
    return (
      <Suspense fallback={<Boot />}>
        <StaffSecondFactor pending={result.pending} onExpired={() => setResult({ kind: 'over' })} />
      </Suspense>
    )
  const isOver = result.kind === 'over'
  return (
    <StandalonePage title={texts.title} product={texts.product}>
      <StepHeading>{isOver ? texts.overTitle : texts.title}</StepHeading>
      {result.kind === 'locked' ? (
        <Lockout until={result.until} wait={lockout.wait} over={lockout.over} />
      ) : (
        <Lead>{isOver ? texts.overText : texts.unexpected}</Lead>
      )}
      {!isOver && (
        <Button variant="contained" onClick={() => void begin()} sx={{ mt: 3 }}>
          {texts.retry}
        </Button>
      )}
      <CardFooter>
        <PublicLink to={STAFF_SIGN_IN}>{texts.another}</PublicLink>
      </CardFooter>
    </StandalonePage>
  )
}
