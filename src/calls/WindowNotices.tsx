import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'

import { VIDEO_MAX } from '#contract/calls/schema.ts'
import type { MyCall } from '#providers/calls/calls.ts'
import { useLiveStatus } from '#providers/live.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  mine: MyCall
  /** Offers the device test; null once it was made or declined. */
  onTest: (() => void) | null
  onNoTest: () => void
}

/** Problems with sound or pictures, and, before the first call, the offer of a device test. */
export function WindowNotices({ mine, onTest, onNoTest }: Props) {
  const text = useText()
  const isServerAway = useLiveStatus() === 'down'
  const { problem, videoPaused, tiles } = mine.state
  const notices: [key: string, severity: 'info' | 'warning', words: ReactNode][] = []
  if (mine.status === 'disconnected') notices.push(['line', 'warning', text('callWindow.trying')])
  else if (isServerAway) notices.push(['server', 'warning', text('callWindow.serverAway')])
  if (problem) notices.push([problem, 'warning', text(`callWindow.problem.${problem}`)])
  if (videoPaused === 'people')
    notices.push(['people', 'info', text('callWindow.pausedByPeople', { max: VIDEO_MAX })])
  if (videoPaused === 'line') notices.push(['paused', 'info', text('callWindow.pausedByLine')])
  const isAlone = mine.status === 'connected' && tiles.length === 1 && mine.engineKind === 'built-in'
  return (
    <Box role="status" sx={{ flex: 'none', display: 'grid', gap: 0.5, px: 1, '&:not(:empty)': { pt: 1 } }}>
      {notices.map(([key, severity, words]) => (
        <Alert key={key} severity={severity} sx={{ py: 0 }}>
          {words}
        </Alert>
      ))}
      {isAlone && notices.length === 0 && (
        <Box sx={{ px: 1, color: 'text.secondary' }}>{text('callWindow.alone')}</Box>
      )}
      {onTest && !problem && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 1,
            p: 1,
            borderRadius: 1,
            bgcolor: 'background.default',
          }}
        >
          <Box sx={{ flex: '1 1 200px' }}>{text('callDevices.offer')}</Box>
          <Box sx={{ display: 'flex', gap: 1, ml: 'auto' }}>
            <Button size="small" color="inherit" onClick={onNoTest}>
              {text('callDevices.later')}
            </Button>
            <Button size="small" variant="outlined" onClick={onTest}>
              {text('callDevices.check')}
            </Button>
          </Box>
        </Box>
      )}
    </Box>
  )
}
