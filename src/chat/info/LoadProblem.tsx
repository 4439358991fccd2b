import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { useText } from '#src/kit/useText.ts'

interface Props {
  message: string
  onRetry: () => void
}

/** Replaces a section that failed to load; the rest of the chat works without it. */
export function LoadProblem({ message, onRetry }: Props) {
  const text = useText()
  return (
    <Box sx={{ color: 'text.secondary' }}>
      {message}{' '}
      <Button size="small" onClick={onRetry} sx={{ minHeight: 28, px: 0.5 }}>
        {text('kit.retry')}
      </Button>
    </Box>
  )
}
