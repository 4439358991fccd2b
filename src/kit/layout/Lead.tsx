import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

/** The paragraph below the title of a standalone page. */
export const Lead = ({ id, children }: { id?: string; children: ReactNode }) => (
  <Typography
    {...(id !== undefined && { id })}
    component="p"
    variant="subtitle1"
    sx={{
      color: 'text.secondary',
      textWrap: 'pretty',
      '& + &': { mt: 1.5 },
      '& strong': { color: 'text.primary', fontWeight: 600 },
    }}
  >
    {children}
  </Typography>
)
