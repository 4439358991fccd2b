import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

import { useText } from './useText.ts'

const ROWS = Array.from({ length: 12 }, (_, index) => index)

/** Rows of a list that are on their way. */
export function ListSkeleton({ phone }: { phone: boolean }) {
  const text = useText()
  const height = phone ? 96 : 37
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block', overflow: 'hidden' }}>
      {ROWS.map((row) => (
        <Box
          key={row}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 3,
            height,
            px: 2,
            '& + &': { borderTop: 1, borderColor: 'divider' },
          }}
        >
          <Skeleton width="20%" />
          <Skeleton width="28%" />
          <Skeleton width="14%" />
          <Skeleton width="12%" />
        </Box>
      ))}
    </Box>
  )
}
