import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'

import {
  ERROR_DURING_POPULATION,
  INVALID_WAR_ROOMS,
  TOO_MANY_USERS,
  type WelcomeErrorCode,
} from '#contract/welcome/schema.ts'
import { welcome as texts } from '#providers/i18n/welcome.ts'

import type { Welcome } from './useWelcome.ts'

/** The step in which a problem is fixed (administration §8). */
const FIXED_IN: Readonly<Record<string, number>> = {
  TOO_MANY_USERS: 1,
  INVALID_WAR_ROOMS: 2,
}
const MESSAGES: { readonly [C in WelcomeErrorCode]?: string } = { TOO_MANY_USERS, INVALID_WAR_ROOMS }
const CONFIRMATION = 4

interface Props {
  welcome: Welcome
  step: number
  onFix: (step: number) => void
}

/** Problem, confirmation and help above a step. */
export function Notices(props: Props) {
  const { state, isLocked } = props.welcome
  return isLocked ? <LockedNotice status={state.status} step={props.step} /> : <RefusalNotice {...props} />
}

function LockedNotice({ status, step }: { status: Welcome['state']['status']; step: number }) {
  if (status === 'ERROR' && step === CONFIRMATION)
    return (
      <Alert severity="warning" sx={{ mb: 3 }}>
        {ERROR_DURING_POPULATION}
      </Alert>
    )
  return (
    <Alert severity={status === 'COMPLETED' ? 'success' : 'info'} role="status" sx={{ mb: 3 }}>
      {texts.locked}
      {status === 'SUBMITTED' && ` ${texts.working}`}
      {status === 'COMPLETED' && ` ${texts.done}`}
    </Alert>
  )
}

/** The helpful button for a refusal; undefined for none. */
function helpFor(code: string, { welcome, step, onFix }: Props) {
  if (code === 'stale') return { label: texts.loadLatest, onClick: () => void welcome.reload() }
  if (code === 'failed') return { label: texts.saveAgain, onClick: () => void welcome.leaveStep() }
  const fixedIn = FIXED_IN[code]
  if (fixedIn === undefined || fixedIn === step) return undefined
  return { label: texts.fixIssues, onClick: () => onFix(fixedIn) }
}

function RefusalNotice(props: Props) {
  const { state, refusal } = props.welcome
  const code = refusal?.code ?? state.errorCode ?? ''
  const message = refusal?.message ?? (state.errorCode && MESSAGES[state.errorCode])
  if (!message) return null
  const help = helpFor(code, props)
  return (
    <Alert
      severity="error"
      sx={{ mb: 3 }}
      action={
        help && (
          <Button color="inherit" size="small" onClick={help.onClick}>
            {help.label}
          </Button>
        )
      }
    >
      {message}
      {code === 'stale' && ` ${texts.loadLatestHelp}`}
    </Alert>
  )
}
