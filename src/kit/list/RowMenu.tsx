import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'

import type { OfferedAction } from './ActionButton.tsx'
import { useText } from '../useText.ts'

/** Where a menu opens: at an element, or where the pointer is. */
export type MenuPlace = Element | { readonly left: number; readonly top: number }

interface Props {
  /** Name of the record. */
  name: string
  actions: readonly OfferedAction[]
  place: MenuPlace
  onClose: () => void
}

/** Menu of a record's actions. */
export function RowMenu({ name, actions, place, onClose }: Props) {
  const text = useText()
  return (
    <Menu
      open
      onClose={onClose}
      onContextMenu={(event) => event.preventDefault()}
      {...(place instanceof Element
        ? { anchorEl: place }
        : { anchorReference: 'anchorPosition', anchorPosition: place })}
      slotProps={{ list: { 'aria-label': text('grid.actionsOf', { name }) } }}
    >
      {actions.map(({ key, label, icon: Icon, destructive, blocked, run }) => (
        <Tooltip key={key} title={blocked ?? ''} describeChild placement="left">
          <MenuItem
            // Stays reachable by keyboard, so that the reason can be read.
            aria-disabled={blocked !== undefined}
            onClick={() => {
              if (blocked !== undefined) return
              onClose()
              run()
            }}
            sx={{
              ...(destructive && { color: 'error.main', '& svg': { color: 'error.main' } }),
              ...(blocked !== undefined && { opacity: 0.5, cursor: 'default' }),
            }}
          >
            <ListItemIcon>
              <Icon />
            </ListItemIcon>
            {label}
          </MenuItem>
        </Tooltip>
      ))}
    </Menu>
  )
}
