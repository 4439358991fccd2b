import CallRounded from '@mui/icons-material/CallRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { useRejoin } from '#providers/calls/useCalls.ts'
import { useText } from '#src/kit/useText.ts'

/** Offers to join again the call that this page lost by going offline (foundation §4 "Offline"). */
export function Rejoin() {
  const text = useText()
  const rejoin = useRejoin()
  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        left: { xs: 8, sm: '50%' },
        right: { xs: 8, sm: 'auto' },
        bottom: { xs: 72, sm: 16 },
        transform: { sm: 'translateX(-50%)' },
        zIndex: 'snackbar',
        width: { sm: 'min(560px, calc(100vw - 32px))' },
      }}
    >
      {rejoin && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 1.5,
            p: 2,
            border: 1,
            borderColor: 'success.main',
            borderRadius: 1,
            bgcolor: 'background.paper',
            boxShadow: 8,
          }}
        >
          <Box sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
            {text(rejoin.why === 'reload' ? 'callWindow.reloaded' : 'calls.wentOffline', {
              title: rejoin.title,
            })}
          </Box>
          <Box sx={{ display: 'flex', gap: 1 }}>
            <Button color="inherit" onClick={() => rejoin.dismiss()} sx={{ minHeight: 44 }}>
              {text('kit.dismiss')}
            </Button>
            <Button
              variant="contained"
              color="success"
              startIcon={<CallRounded />}
              onClick={() => rejoin.join()}
              sx={{ minHeight: 44 }}
            >
              {text('calls.joinAgain')}
            </Button>
          </Box>
        </Box>
      )}
    </Box>
  )
}
