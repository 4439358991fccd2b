import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** A line below the title. */
  line?: ReactNode
  /** Buttons at the end of the title's line. */
  side?: ReactNode
  children: ReactNode
}

/** A titled part of the board. */
export function Card({ title, line, side, children }: Props) {
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        minWidth: 0,
        p: { xs: 2, sm: 2.5 },
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1 }}>
        <Typography id={id} variant="h3" component="h2" sx={{ flex: '1 1 auto' }}>
          {title}
        </Typography>
        {side && <Box sx={{ display: 'flex', gap: 1 }}>{side}</Box>}
      </Box>
      {line !== undefined && (
        <Box sx={{ mb: 1.5, maxWidth: 720, color: 'text.secondary', textWrap: 'pretty' }}>{line}</Box>
      )}
      {children}
    </Box>
  )
}
