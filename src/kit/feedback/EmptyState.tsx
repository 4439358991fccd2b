import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  icon?: ReactNode
  /** One sentence about the purpose of the list or page. */
  text: string
  /** At most one button. */
  action?: ReactNode
}

/** The placeholder of an empty list or page. */
export function EmptyState({ icon, text, action }: Props) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 2, px: 3, py: 8, textAlign: 'center' }}>
      {icon && <Box sx={{ color: 'text.secondary', '& svg': { fontSize: 40 } }}>{icon}</Box>}
      <Typography variant="subtitle1" component="p" sx={{ maxWidth: 480, color: 'text.secondary' }}>
        {text}
      </Typography>
      {action}
    </Box>
  )
}
