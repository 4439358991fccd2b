import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { type ComponentType, Suspense, useEffect, useState } from 'react'

import type { WelcomeToken } from '#contract/welcome/rules.ts'
import type { WelcomePackage } from '#contract/welcome/schema.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { welcome as texts } from '#providers/i18n/welcome.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { go, useSearch } from '#src/kit/browser/location.ts'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'
import { StepHeading } from '#src/kit/layout/StepHeading.tsx'
import { exactTime } from '#src/kit/time/formats.ts'

import { IntroductionStep } from './IntroductionStep.tsx'
import { Notices } from './Notices.tsx'
import { Steps } from './Steps.tsx'
import { useWelcome, type Welcome } from './useWelcome.ts'

const loadUsers = async () => ({ default: (await import('./UsersStep.tsx')).UsersStep })
const loadRooms = async () => ({ default: (await import('./WarRoomsStep.tsx')).WarRoomsStep })
const loadFolders = async () => ({ default: (await import('./FoldersStep.tsx')).FoldersStep })
const loadConfirmation = async () => ({ default: (await import('./ConfirmationStep.tsx')).ConfirmationStep })
const STEPS: readonly ComponentType<{ welcome: Welcome }>[] = [
  IntroductionStep,
  lazy(loadUsers),
  lazy(loadRooms),
  lazy(loadFolders),
  lazy(loadConfirmation),
]
const LAST = STEPS.length - 1

/** The step in the address; 0 by default. */
function useStep(): [step: number, show: (step: number) => void] {
  const query = new URLSearchParams(useSearch())
  const named = query.get('step') ?? ''
  const step = /^\d$/.test(named) && Number(named) <= LAST ? Number(named) : 0
  const show = (next: number) => {
    query.set('step', String(next))
    go(`${location.pathname}?${query}`)
    scrollTo({ top: 0 })
  }
  return [step, show]
}

interface Props {
  token: WelcomeToken
  first: WelcomePackage
  /** Called when the package was submitted or withdrawn elsewhere. */
  onGone: () => void
}

/** The steps of a package, which save themselves. */
export function Wizard({ token, first, onGone }: Props) {
  const welcome = useWelcome(token, first, onGone)
  const [step, show] = useStep()
  const [busy, setBusy] = useState(false)
  const goTo = async (next: number) => {
    setBusy(true)
    if (await welcome.leaveStep()) show(next)
    setBusy(false)
  }
  // Preloads the other steps during the first one.
  useEffect(() => {
    for (const load of [loadUsers, loadRooms, loadFolders, loadConfirmation]) void load()
  }, [])
  const Step = STEPS[step]!
  return (
    <StandalonePage
      title={texts.title}
      product={signIn.product}
      width={920}
      foot={<Footer welcome={welcome} />}
    >
      <Steps step={step} busy={busy} onChoose={(next) => void goTo(next)} />
      <StepHeading key={step}>{texts.steps[step]!}</StepHeading>
      <Notices welcome={welcome} step={step} onFix={show} />
      <Box component="fieldset" disabled={welcome.isLocked} sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
        <Suspense>
          <Step welcome={welcome} />
        </Suspense>
      </Box>
      <Buttons welcome={welcome} step={step} busy={busy} onGo={(next) => void goTo(next)} />
    </StandalonePage>
  )
}

interface ButtonsProps {
  welcome: Welcome
  step: number
  busy: boolean
  onGo: (step: number) => void
}
function Buttons({ welcome, step, busy, onGo }: ButtonsProps) {
  const { isLocked, isSaving, complete } = welcome
  const [completing, setCompleting] = useState(false)
  const finish = async () => {
    setCompleting(true)
    await complete()
    setCompleting(false)
  }
  return (
    <Box
      sx={{
        display: 'flex',
        justifyContent: 'space-between',
        gap: 2,
        mt: 4,
        '& > button': { minHeight: 44 },
      }}
    >
      {step > 0 ? (
        <Button variant="outlined" disabled={busy || completing} onClick={() => onGo(step - 1)}>
          {texts.goBack}
        </Button>
      ) : (
        <span />
      )}
      {step < LAST ? (
        <Button variant="contained" loading={busy} onClick={() => onGo(step + 1)}>
          {step === 0 ? texts.getStarted : texts.continue}
        </Button>
      ) : (
        <Button
          variant="contained"
          color="success"
          loading={completing}
          disabled={isLocked || (isSaving && !completing)}
          onClick={() => void finish()}
        >
          {isLocked ? texts.markedComplete : texts.markComplete}
        </Button>
      )}
    </Box>
  )
}

function Footer({ welcome: { state, isDirty, isSaving, isLocked } }: { welcome: Welcome }) {
  const progress = isSaving ? texts.saving : isDirty ? texts.unsaved : texts.saved
  const browser = state.lastUpdateBrowserData
  return (
    <Box
      component="footer"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        justifyContent: 'center',
        gap: '4px 24px',
        color: 'text.secondary',
        fontSize: '0.875rem',
      }}
    >
      <Link href={`mailto:${state.supportEmail}`} color="textSecondary">
        {texts.support}
      </Link>
      <span {...(browser && { title: texts.lastBrowser(browser) })}>
        {texts.lastUpdated}{' '}
        <time dateTime={state.lastUpdateTimestamp}>
          {exactTime('en', Date.parse(state.lastUpdateTimestamp))}
        </time>
      </span>
      {!isLocked && <span role="status">{progress}</span>}
    </Box>
  )
}
