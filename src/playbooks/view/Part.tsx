import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** Content at the end of the title's line. */
  side?: ReactNode
  children: ReactNode
}

export function Part({ title, side, children }: Props) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ mt: 3, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1 }}>
        <Typography id={id} variant="h3" sx={{ flex: '1 1 auto' }}>
          {title}
        </Typography>
        {side}
      </Box>
      {children}
    </Box>
  )
}
