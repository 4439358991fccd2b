import Chip from '@mui/material/Chip'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { ComponentType } from 'react'

interface Props {
  label: string
  icon: ComponentType<SvgIconProps>
  tone?: 'success' | 'warning' | 'error' | 'neutral'
}

/** The state of a thing: a word and an icon, coloured where the state asks for attention. */
export function StatusChip({ label, icon: Icon, tone = 'neutral' }: Props) {
  return (
    <Chip
      size="small"
      variant="outlined"
      label={label}
      icon={<Icon color={tone === 'neutral' ? 'inherit' : tone} />}
      sx={{
        color: 'inherit',
        fontWeight: 400,
        borderColor: 'divider',
        '& .MuiChip-icon': { fontSize: 16, ml: 0.75 },
      }}
    />
  )
}
