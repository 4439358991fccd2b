import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

import { visuallyHidden } from './visuallyHidden.ts'

interface Props {
  title: string
  /** Hides the title except from screen readers. */
  quiet?: boolean
  /** Level of the title. */
  heading?: 'h2' | 'h3'
  /** Number of the step that the card stands for. */
  step?: number
  /** A line below the title. */
  line?: ReactNode
  /** Content at the end of the title's line. */
  side?: ReactNode
  children: ReactNode
}

const number = {
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  width: 24,
  height: 24,
  borderRadius: '50%',
  fontSize: '0.8125rem',
  fontWeight: 600,
  bgcolor: 'primary.main',
  color: 'primary.contrastText',
} as const

/** A titled part of a page. */
export function Card({ title, quiet = false, heading = 'h2', step, line, side, children }: Props) {
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        position: 'relative',
        minWidth: 0,
        p: { xs: 2, sm: 2.5 },
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      {quiet ? (
        <Box component={heading} id={id} sx={visuallyHidden}>
          {title}
        </Box>
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: line ? 1 : 1.5 }}>
          {step !== undefined && (
            <Box component="span" aria-hidden sx={number}>
              {step}
            </Box>
          )}
          <Typography id={id} variant="h3" component={heading} sx={{ flex: '1 1 auto' }}>
            {title}
          </Typography>
          {side}
        </Box>
      )}
      {line !== undefined && (
        <Box sx={{ mb: 1.5, maxWidth: 720, color: 'text.secondary', textWrap: 'pretty' }}>{line}</Box>
      )}
      {children}
    </Box>
  )
}
