import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactElement } from 'react'
import { Link } from 'react-router-dom'

interface Props {
  icon: ReactElement
  label: string
  /** Part of the label that a phone shows. */
  short?: string
  /** Link target; without it `onClick` is called. */
  to?: string
  onClick?: () => void
  loading?: boolean
  /** True for an act with consequences for many people. */
  filled?: boolean
}

/** A button at the head of an incident. */
export function QuietButton({ icon, label, short, to, onClick, loading = false, filled = false }: Props) {
  const target = to === undefined ? { onClick } : { component: Link, to }
  return (
    <Button
      {...target}
      variant={filled ? 'contained' : 'outlined'}
      color={filled ? 'primary' : 'inherit'}
      aria-label={label}
      title={label}
      loading={loading}
      startIcon={icon}
      sx={{
        flex: { xs: '1 1 auto', sm: 'none' },
        minHeight: { xs: 44, sm: 36 },
        px: { xs: 1, sm: 2 },
        whiteSpace: 'nowrap',
        ...(!filled && { borderColor: 'background.edge' }),
      }}
    >
      {short === undefined ? (
        label
      ) : (
        <>
          <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
            {label}
          </Box>
          <Box component="span" sx={{ display: { sm: 'none' } }}>
            {short}
          </Box>
        </>
      )}
    </Button>
  )
}
