import CloudOffRounded from '@mui/icons-material/CloudOffRounded'
import Box from '@mui/material/Box'
import { useEffect, useState } from 'react'

import { useLiveStatus } from '#providers/live.ts'
import { useOutage } from '#providers/outage.ts'
import { useText } from '#src/kit/useText.ts'

/** Milliseconds of lost connection that are not shown. */
const GRACE_MS = 5_000

/** True once the connection has been down for longer than the grace period. */
function useIsInterrupted(): boolean {
  const isDown = useLiveStatus() === 'down'
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isDown) return undefined
    const timer = setTimeout(() => setIsLate(true), GRACE_MS)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isDown])
  return isDown && isLate
}

/** Says that requests are retried, or that the page receives no live events. */
export function LiveNotice() {
  const text = useText()
  const isOut = useOutage()
  const isInterrupted = useIsInterrupted()
  const shown = isOut || isInterrupted
  return (
    <Box
      component="output"
      sx={{
        display: 'block',
        ...(shown && {
          px: 2,
          py: 0.75,
          bgcolor: 'background.default',
          borderTop: 1,
          borderColor: 'divider',
          fontSize: '0.8125rem',
        }),
      }}
    >
      {shown && (
        <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <CloudOffRounded color="warning" />
          {text(isOut ? 'kit.tryingAgain' : 'kit.liveInterrupted')}
        </Box>
      )}
    </Box>
  )
}
