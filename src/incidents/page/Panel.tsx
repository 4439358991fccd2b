import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'

interface Props {
  title: string
  /** Hides the title except from screen readers. */
  quiet?: boolean
  /** Content at the end of the title's line. */
  side?: ReactNode
  children: ReactNode
}

/** A titled part of an incident's page. */
export function Panel({ title, quiet = false, side, children }: Props) {
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        p: { xs: 2, sm: 2.5 },
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        minWidth: 0,
        position: 'relative',
      }}
    >
      {quiet ? (
        <Box component="h3" id={id} sx={visuallyHidden}>
          {title}
        </Box>
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
          <Typography id={id} variant="h3" sx={{ flex: '1 1 auto' }}>
            {title}
          </Typography>
          {side}
        </Box>
      )}
      {children}
    </Box>
  )
}
