import Box from '@mui/material/Box'
import { type ReactNode, useId } from 'react'

interface Props {
  label: string
  children: ReactNode
}

/** A labelled fact. */
export function Tile({ label, children }: Props) {
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ p: 3, bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Box
        component="h2"
        id={id}
        sx={{ m: 0, mb: 1, fontSize: '0.875rem', fontWeight: 400, color: 'text.secondary' }}
      >
        {label}
      </Box>
      {children}
    </Box>
  )
}
