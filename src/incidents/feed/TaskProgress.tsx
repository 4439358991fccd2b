import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'

import { useText } from '#src/kit/useText.ts'

/** Number of completed tasks, as a bar and in words. */
export function TaskProgress({ complete, total }: { complete: number; total: number }) {
  const text = useText()
  const words = text('incidents.tasksComplete', { complete, smart_count: total })
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, whiteSpace: 'nowrap' }}>
      <LinearProgress
        variant="determinate"
        color={complete === total ? 'success' : 'primary'}
        value={total === 0 ? 0 : (complete / total) * 100}
        aria-label={words}
        sx={{ width: 72, height: 6, borderRadius: 3 }}
      />
      <span>{words}</span>
    </Box>
  )
}
