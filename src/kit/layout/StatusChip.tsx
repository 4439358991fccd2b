import { styled } from '@mui/material/styles'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { ComponentType } from 'react'

import { CONTROL_RADIUS } from '../theme/theme.ts'

const Frame = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  maxWidth: '100%',
  height: 24,
  padding: '0 8px 0 6px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: CONTROL_RADIUS,
  fontSize: '0.8125rem',
  fontWeight: 400,
  lineHeight: '22px',
  whiteSpace: 'nowrap',
  '& svg': { flex: 'none', fontSize: 16 },
}))

interface Props {
  label: string
  icon: ComponentType<SvgIconProps>
  tone?: 'success' | 'warning' | 'error' | 'neutral'
}

/** A state as a word and an icon, coloured if it needs attention. */
export function StatusChip({ label, icon: Icon, tone = 'neutral' }: Props) {
  return (
    <Frame>
      <Icon color={tone === 'neutral' ? 'inherit' : tone} />
      {label}
    </Frame>
  )
}
