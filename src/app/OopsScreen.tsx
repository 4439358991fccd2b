import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'

import { reportCaught } from '#providers/errorReporting.ts'
import { plain as texts } from '#providers/i18n/plain.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'

const signInAgain = async () => {
  const { signOut } = await import('#providers/send.ts')
  await signOut()
  location.assign('/login')
}

/** Replaces the application after an uncaught error, and reports it. */
export function OopsScreen({ error }: { error?: unknown }) {
  useEffect(() => void reportCaught(error), [error])
  return (
    <StandalonePage title={texts.oops} product={texts.name}>
      <div role="alert">
        <Typography variant="h1" gutterBottom>
          {texts.oops}
        </Typography>
        <Lead>
          {texts.oopsText}{' '}
          <Link
            underline="always"
            href={location.pathname}
            onClick={(event) => {
              event.preventDefault()
              location.reload()
            }}
          >
            {texts.oopsReload}
          </Link>
        </Lead>
      </div>
      <CardFooter>
        <Link
          href="/login"
          onClick={(event) => {
            event.preventDefault()
            void signInAgain()
          }}
        >
          {texts.oopsSignIn}
        </Link>
      </CardFooter>
    </StandalonePage>
  )
}
