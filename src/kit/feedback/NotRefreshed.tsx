import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'

import { useText } from '../useText.ts'

/** A notice above a list whose last refresh failed. */
export function NotRefreshed({ onRetry }: { onRetry: () => void }) {
  const text = useText()
  return (
    <Paper
      variant="outlined"
      role="alert"
      sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, py: 0.5, borderColor: 'warning.main' }}
    >
      <WarningAmberRounded color="warning" />
      <Box sx={{ flex: 1 }}>{text('grid.notRefreshed')}</Box>
      <Button size="small" onClick={onRetry}>
        {text('kit.retry')}
      </Button>
    </Paper>
  )
}
