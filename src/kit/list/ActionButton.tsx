import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'

import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { ComponentType } from 'react'

/** An action that the signed-in person may do to one record. */
export interface OfferedAction {
  readonly key: string
  readonly label: string
  readonly icon: ComponentType<SvgIconProps>
  readonly destructive: boolean
  /** Why it cannot be done now. */
  readonly blocked?: string | undefined
  readonly run: () => void
}

type Props = Pick<ButtonProps, 'variant'> & { action: OfferedAction }

/** A button for what can be done to one record. A blocked one stays reachable, so that the reason can be read. */
export function ActionButton({ action: { label, icon: Icon, destructive, blocked, run }, variant }: Props) {
  return (
    <Tooltip title={blocked ?? ''} describeChild>
      <Button
        size="small"
        {...(variant && { variant })}
        color={destructive ? 'error' : 'primary'}
        startIcon={<Icon />}
        aria-disabled={blocked !== undefined}
        onClick={blocked === undefined ? run : undefined}
        sx={{ flex: 'none', ...(blocked !== undefined && { opacity: 0.5, cursor: 'default' }) }}
      >
        {label}
      </Button>
    </Tooltip>
  )
}
