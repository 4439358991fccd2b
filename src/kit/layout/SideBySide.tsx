import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

import { HEADER_HEIGHT } from '../theme/theme.ts'

interface Props {
  /** Sticky, and scrollable if it is higher than the window. */
  side: ReactNode
  /** Width of the side in pixels. */
  width: number
  children: ReactNode
}

/** A list at the side, and the chosen item beside it. */
export function SideBySide({ side, width, children }: Props) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: `${width}px minmax(0, 1fr)`,
        alignItems: 'start',
        gap: 2,
      }}
    >
      <Box
        sx={{
          position: 'sticky',
          top: HEADER_HEIGHT + 24,
          maxHeight: `calc(100vh - ${HEADER_HEIGHT + 48}px)`,
        }}
      >
        {side}
      </Box>
      {children}
    </Box>
  )
}
