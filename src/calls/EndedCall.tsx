import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'

import { calls, type EndedCall as Ended } from '#providers/calls/calls.ts'
import { useRoom } from '#providers/chat/useChat.ts'
import { useText } from '#src/kit/useText.ts'
import { useCallActs } from './useCallActs.ts'

const SHOWN_MS = 8_000
const WORDS = { left: 'callWindow.youLeft', over: 'callWindow.over', failed: 'callWindow.failed' } as const

/** Says that the call has ended on this page, and offers to rejoin while it continues. */
export function EndedCall({ ended }: { ended: Ended }) {
  const text = useText()
  const { join } = useCallActs()
  const room = useRoom(ended.roomId)
  const [isHeld, setIsHeld] = useState(false)
  const goesOn = ended.why !== 'over' && room?.callDetails?.callId === ended.callId
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => calls.dismissEnded(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <Box
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        p: 2,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
        boxShadow: 8,
      }}
    >
      <Box sx={{ flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="h4" component="p">
          {text('callWindow.status.disconnected')}
        </Typography>
        {text(WORDS[ended.why], { title: ended.title })}
      </Box>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button color="inherit" onClick={() => calls.dismissEnded()} sx={{ minHeight: 44 }}>
          {text('kit.dismiss')}
        </Button>
        {goesOn && (
          <Button variant="outlined" onClick={() => void join(ended)} sx={{ minHeight: 44 }}>
            {text('callWindow.joinAgain')}
          </Button>
        )}
      </Box>
    </Box>
  )
}
