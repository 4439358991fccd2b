import Button from '@mui/material/Button'
import { useEffect, useRef, useState } from 'react'

import { staffSignIn as texts } from '#providers/i18n/staff-sign-in.ts'
import { go } from '#src/kit/browser/location.ts'
import { Boot } from '#src/kit/feedback/Boot.tsx'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { STAFF_SIGN_IN } from '#src/shared/publicRoutes.ts'

import { PublicLink } from '#src/shared/PublicLink.tsx'

const loadQueries = () => import('./queries.ts')

/** Signs staff in with a mailed link, and removes its id from the address (administration §2.2). */
export function StaffLinkPage({ id }: { id: string }) {
  const [failure, setFailure] = useState<'over' | 'failed'>()
  // A link works once: React's second run of an effect in development must not use it up.
  const begun = useRef(false)
  const begin = async () => {
    setFailure(undefined)
    const { beginWithLink } = await loadQueries()
    const result = await beginWithLink(id)
    if (result === 'in') go('/management/organizations', { replace: true })
    else setFailure(result)
  }
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    begin().catch(() => setFailure('failed'))
  })
  if (!failure) return <Boot />
  return (
    <StandalonePage title={texts.title} product={texts.product}>
      <StepHeading>{failure === 'over' ? texts.overTitle : texts.title}</StepHeading>
      <Lead>{failure === 'over' ? texts.overText : texts.unexpected}</Lead>
      {failure === 'failed' && (
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
