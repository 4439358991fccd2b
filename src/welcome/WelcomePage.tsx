import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'

import { readWelcomeToken, type WelcomeToken } from '#contract/welcome/rules.ts'
import { PACKAGE_NOT_FOUND, type WelcomePackage } from '#contract/welcome/schema.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { welcome as texts } from '#providers/i18n/welcome.ts'
import { messageOf } from '#providers/problem.ts'
import { go, useSearch } from '#src/kit/browser/location.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'

import { openPackage, renewLink, trustedToken } from './queries.ts'
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

/** Requests a replacement for an invalid link, and leads to sign-in once the package is complete. */
function WaysOn({ link }: { link: string }) {
  const [notice, setNotice] = useState<{ severity: 'success' | 'error'; message: string }>()
  const { busy, submit } = useSubmitOnce(
    async () => {
      const token = await trustedToken(link)
      if (token) await renewLink(token)
      setNotice({ severity: 'success', message: texts.renewed })
    },
    (error) => setNotice({ severity: 'error', message: messageOf(error, texts.renewFailed) }),
  )
  const isSent = notice?.severity === 'success'
  return (
    <Box sx={{ display: 'grid', gap: 1.5, mt: 3 }}>
      {notice && (
        <Alert severity={notice.severity} role={isSent ? 'status' : 'alert'}>
          {notice.message}
        </Alert>
      )}
      {readWelcomeToken(link) && !isSent && (
        <Button variant="contained" size="large" loading={busy} onClick={submit}>
          {texts.renew}
        </Button>
      )}
      <Button variant="outlined" size="large" onClick={() => go('/')}>
        {texts.signIn}
      </Button>
    </Box>
  )
}

/** The package of a link, or the reason why there is none. */
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
        <>
          <Box role="alert">
            <Typography variant="h1" gutterBottom>
              {texts.oops}
            </Typography>
            <Lead>{PACKAGE_NOT_FOUND}</Lead>
            <Lead>{texts.oopsHelp}</Lead>
          </Box>
          <WaysOn link={link} />
        </>
      )}
    </StandalonePage>
  )
}
