import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

import { useText } from '../useText.ts'

const ROWS = Array.from({ length: 12 }, (_, index) => index)
const row = (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, height: 36 }}>
    <Skeleton width="20%" />
    <Skeleton width="28%" />
    <Skeleton width="14%" />
    <Skeleton width="12%" />
  </Box>
)
const card = (
  <Box sx={{ py: 1.25, minHeight: 96 }}>
    <Skeleton width="50%" height={24} />
    <Skeleton width="80%" />
    <Skeleton width="35%" />
  </Box>
)

/** Placeholder rows of a loading list. */
export function ListSkeleton({ phone }: { phone: boolean }) {
  const text = useText()
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block', overflow: 'hidden' }}>
      {ROWS.map((index) => (
        <Box key={index} sx={{ px: 2, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
          {phone ? card : row}
        </Box>
      ))}
    </Box>
  )
}
