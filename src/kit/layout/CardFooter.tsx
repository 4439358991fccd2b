import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The last row of a card, below a divider: secondary facts and links. */
export const CardFooter = ({ children }: { children: ReactNode }) => (
  <Box
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      justifyContent: 'space-between',
      gap: '4px 16px',
      mt: 3,
      pt: 2.5,
      borderTop: 1,
      borderColor: 'divider',
      fontSize: '0.875rem',
      overflowWrap: 'anywhere',
      '& strong': { fontWeight: 600 },
    }}
  >
    {children}
  </Box>
)
