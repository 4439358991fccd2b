import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'

import type { WelcomeToken } from '#contract/welcome/rules.ts'
import { PACKAGE_NOT_FOUND, type WelcomePackage } from '#contract/welcome/schema.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { welcome as texts } from '#providers/i18n/welcome.ts'
import { useSearch } from '#src/kit/browser/location.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'

import { openPackage, trustedToken } from './queries.ts'
import { Wizard } from './Wizard.tsx'

type Opened =
  | { readonly kind: 'loading' | 'gone' | 'failed' }
  | { readonly kind: 'open'; readonly token: WelcomeToken; readonly state: WelcomePackage }

async function open(link: string): Promise<Opened> {
  const token = await trustedToken(link)
  const state = token && (await openPackage(token))
  return token && state ? { kind: 'open', token, state } : { kind: 'gone' }
}

/** The wizard of a new organisation, behind a mailed link (administration §2.3). */
export function WelcomePage() {
  const link = new URLSearchParams(useSearch()).get('id') ?? ''
  const [tries, setTries] = useState(0)
  return <Package key={`${tries} ${link}`} link={link} onRetry={() => setTries(tries + 1)} />
}

/** The package behind a link, or why there is none. */
function Package({ link, onRetry }: { link: string; onRetry: () => void }) {
  const [opened, setOpened] = useState<Opened>({ kind: 'loading' })
  useEffect(() => {
    let here = true
    open(link).then(
      (result) => here && setOpened(result),
      () => here && setOpened({ kind: 'failed' }),
    )
    return () => {
      here = false
    }
  }, [link])
  if (opened.kind === 'open')
    return <Wizard token={opened.token} first={opened.state} onGone={() => setOpened({ kind: 'gone' })} />
  return (
    <StandalonePage title={texts.title} product={signIn.product}>
      {opened.kind === 'loading' && <Box role="status">{texts.loading}</Box>}
      {opened.kind === 'failed' && (
        <>
          <Typography role="alert" gutterBottom>
            {texts.loadFailed}
          </Typography>
          <Button variant="contained" onClick={onRetry}>
            {texts.retry}
          </Button>
        </>
      )}
      {opened.kind === 'gone' && (
        <Box role="alert">
          <Typography variant="h1" gutterBottom>
            {texts.oops}
          </Typography>
          <Lead>{PACKAGE_NOT_FOUND}</Lead>
          <Lead>{texts.oopsHelp}</Lead>
        </Box>
      )}
    </StandalonePage>
  )
}
