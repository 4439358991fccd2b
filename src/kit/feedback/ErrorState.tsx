import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'

import { messageOf, statusOf } from '#providers/problem.ts'

import { useText } from '../useText.ts'

interface Props {
  /** The failure. Its status selects the message, and a hint about the connection or the service. */
  error: unknown
  /** Message for an error without one of its own. */
  text?: string
  onRetry?: () => void
}

/** Replaces content that failed to load: message, hint and retry button. */
export function ErrorState({ error, text: happened, onRetry }: Props) {
  const text = useText()
  const status = statusOf(error) ?? 0
  const isRefusal = status >= 400 && status < 500
  // The server answered, so the connection is not to blame.
  const hint = status >= 500 ? 'kit.serverHint' : 'kit.notLoadedHint'
  return (
    <Box
      role="alert"
      sx={{ display: 'grid', justifyItems: 'center', gap: 1, px: 3, py: 8, textAlign: 'center' }}
    >
      <ErrorOutlineRounded color="error" sx={{ fontSize: 40, mb: 1 }} />
      <Typography variant="h3" component="p" sx={{ maxWidth: 480 }}>
        {messageOf(error, happened ?? text('kit.notLoaded'))}
      </Typography>
      {!isRefusal && <Typography sx={{ color: 'text.secondary' }}>{text(hint)}</Typography>}
      {onRetry && (
        <Button variant="outlined" onClick={onRetry} sx={{ mt: 2 }}>
          {text('kit.retry')}
        </Button>
      )}
    </Box>
  )
}
