import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

import { useText } from '../useText.ts'

/** Placeholder of a page until its own skeleton has loaded. */
export function PageSkeleton() {
  const text = useText()
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 2, p: 3 }}>
      <Skeleton variant="rounded" height={120} />
      <Skeleton variant="rounded" height={40} width="60%" />
      <Skeleton variant="rounded" height={240} />
    </Box>
  )
}
