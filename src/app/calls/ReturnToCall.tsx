import CallRounded from '@mui/icons-material/CallRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { createPortal } from 'react-dom'

import { useText } from '#src/kit/useText.ts'
import { useCallOfBrowser, useReturnToCall } from '#src/calls/useReturnToCall.ts'

import { CALL_PLACE } from '../places.ts'

/** Shows the call again, from the header of every page (foundation §2). Loads after the first page. */
export function ReturnToCall() {
  const text = useText()
  const call = useCallOfBrowser()
  const returnToCall = useReturnToCall()
  const place = document.getElementById(CALL_PLACE)
  if (!call || !place) return null
  return createPortal(
    <Button
      variant="contained"
      color="success"
      aria-label={text('calls.returnTo')}
      title={call.title}
      onClick={returnToCall}
      sx={{ minWidth: { xs: 44, sm: 64 }, minHeight: { xs: 44, md: 36 }, px: { xs: 1, sm: 2 }, flex: 'none' }}
    >
      <CallRounded />
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' }, ml: 1 }}>
        {text('calls.returnTo')}
      </Box>
    </Button>,
    place,
  )
}
