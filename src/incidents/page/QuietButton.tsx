import Button from '@mui/material/Button'
import type { ReactElement } from 'react'
import { Link } from 'react-router-dom'

interface Props {
  icon: ReactElement
  label: string
  /** Link target; without it `onClick` is called. */
  to?: string
  onClick?: () => void
  loading?: boolean
}

/** A secondary button. On a phone it shrinks to its icon, unless it stands alone. */
export function QuietButton({ icon, label, to, onClick, loading = false }: Props) {
  const target = to === undefined ? { onClick } : { component: Link, to }
  return (
    <Button
      {...target}
      variant="outlined"
      color="inherit"
      aria-label={label}
      title={label}
      loading={loading}
      sx={{
        gap: 1,
        minWidth: 44,
        px: { xs: 1, sm: 2 },
        borderColor: 'background.edge',
        '& > [data-label]': { display: { xs: 'none', sm: 'inline' } },
        '&:only-child': { px: 2, '& > [data-label]': { display: 'inline' } },
      }}
    >
      {icon}
      <span data-label>{label}</span>
    </Button>
  )
}
