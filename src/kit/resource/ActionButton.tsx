import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'

import type { OfferedAction } from './useRowActions.tsx'

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
