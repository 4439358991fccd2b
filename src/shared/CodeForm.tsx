import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'

import { CODE_INCORRECT, type Verified } from '#contract/verifications/schema.ts'
import { CodeInput } from '#src/kit/form/CodeInput.tsx'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { keepFocus } from '#src/kit/form/keepFocus.ts'
import { onceClicked } from '#src/kit/form/onceClicked.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { verifyCode } from './verification.ts'

interface Props {
  label: string
  length: number
  help?: ReactNode
  /** The id of a text that says which code is meant. */
  describedBy?: string
  autoComplete?: 'one-time-code' | 'off'
  autoFocus?: boolean
  /** Whether the code enrols the authenticator app that it comes from. */
  enrols?: boolean
  /** Counts the codes that were asked for: another one begins with an empty field. */
  round?: number
  /** At the start of the row of buttons. */
  aside?: ReactNode
  /** What stands around the field. */
  around: (field: ReactNode) => ReactNode
  onVerified: (verified: Verified) => void
  /** What an enrolment by choice needs is over. */
  onOverdue?: () => void
  onCancel: () => void
}

/** A code, its refusals, and the buttons that send it or give it up; it fills a dialog below its title. */
export function CodeForm({ round = 0, enrols = false, onVerified, onOverdue, onCancel, ...props }: Props) {
  const text = useText()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ round, digits: '' })
  const code = typed.round === round ? typed.digits : ''
  // Each attempt is another one, so that the same words are announced again.
  const [refused, setRefused] = useState<{ attempt: number; message?: string }>({ attempt: 0 })
  const [until, setUntil] = useState(0)
  const locked = useSecondsUntil(until) > 0
  const complete = code.length === props.length

  const { busy, submit } = useSubmitOnce(async () => {
    const verdict = await verifyCode(code, enrols)
    if (verdict.kind === 'verified') return onVerified(verdict.verified)
    if (verdict.kind === 'overdue') return onOverdue?.()
    if (verdict.kind === 'wrong') setTyped({ round, digits: '' })
    setUntil(verdict.kind === 'locked' ? verdict.until : 0)
    const message = { wrong: CODE_INCORRECT, failed: text('kit.wentWrong'), locked: '' }[verdict.kind]
    setRefused({ attempt: refused.attempt + 1, message })
    return field.current?.focus()
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (complete && !locked) submit()
  }
  const onChange = (digits: string) => {
    setTyped({ round, digits })
    setRefused({ attempt: refused.attempt })
    if (!locked) setUntil(0)
  }

  const entry = (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {until > 0 && (
        <Alert key={`${refused.attempt}-${locked}`} severity={locked ? 'error' : 'info'}>
          {locked ? (
            <Countdown until={until} text={text('verifications.attemptAfter')} />
          ) : (
            text('verifications.attemptNow')
          )}
        </Alert>
      )}
      {refused.message && (
        <Alert key={refused.attempt} severity="error">
          {refused.message}
        </Alert>
      )}
      <CodeInput
        key={round}
        label={props.label}
        length={props.length}
        incomplete={text('verifications.incomplete')}
        help={props.help}
        autoComplete={props.autoComplete ?? 'one-time-code'}
        autoFocus={props.autoFocus ?? round > 0}
        {...(props.describedBy && { describedBy: props.describedBy })}
        value={code}
        onChange={onChange}
        inputRef={field}
      />
    </Box>
  )
  return (
    <Box
      component="form"
      noValidate
      onSubmit={onSubmit}
      sx={{ display: 'flex', flexDirection: 'column', flex: '1 1 auto', minHeight: 0 }}
    >
      <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2.5, pt: 0 }}>
        {props.around(entry)}
      </DialogContent>
      <DialogActions>
        {props.aside && (
          <Box component="span" sx={{ marginInlineEnd: 'auto' }}>
            {props.aside}
          </Box>
        )}
        <Button color="inherit" onMouseDown={keepFocus} onClick={onCancel}>
          {text('kit.cancel')}
        </Button>
        <Button
          type="submit"
          variant="contained"
          disabled={!complete || locked}
          loading={busy}
          onMouseDown={keepFocus}
          onClick={onceClicked}
        >
          {text('verifications.verify')}
        </Button>
      </DialogActions>
    </Box>
  )
}
