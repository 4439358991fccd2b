import Alert from '@mui/material/Alert'

import { Countdown, useSecondsUntil } from '../time/Countdown.tsx'

interface Props {
  /** Server time in milliseconds. */
  until: number
  /** Sentence with the remaining time: see `countdownText`. */
  wait: string
  over: string
}

/** Counts a lockout down. Screen readers announce its start and end, not each second. */
export function Lockout({ until, wait, over }: Props) {
  const locked = useSecondsUntil(until) > 0
  return (
    <Alert severity={locked ? 'warning' : 'info'}>
      {locked ? <Countdown until={until} text={wait} /> : over}
    </Alert>
  )
}
