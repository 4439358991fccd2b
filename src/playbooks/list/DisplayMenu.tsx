import TuneRounded from '@mui/icons-material/TuneRounded'
import IconButton from '@mui/material/IconButton'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'

import { useText } from '#src/kit/useText.ts'

import { type Order, ORDERS, type Shown, SHOWN } from './listValues.ts'

interface Props {
  shown: Shown
  order: Order
  canWrite: boolean
  onShow: (shown: Shown) => void
  onOrder: (order: Order) => void
}

/** Selection and order of the list. */
export function DisplayMenu({ shown, order, canWrite, onShow, onOrder }: Props) {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const label = text('playbooks.display')
  const choose = (act: () => void) => () => {
    setAnchor(null)
    act()
  }
  const selections = SHOWN.filter((one) => canWrite || (one !== 'DRAFT' && one !== 'WAITING'))
  return (
    <>
      <IconButton
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: { xs: 44, md: 32 }, height: { xs: 44, md: 32 } }}
      >
        <TuneRounded fontSize="small" />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': label } }}
      >
        <ListSubheader role="presentation">{text('playbooks.show')}</ListSubheader>
        {selections.map((one) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={one === shown}
            selected={one === shown}
            onClick={choose(() => onShow(one))}
          >
            {text(`playbooks.selections.${one}`)}
          </MenuItem>
        ))}
        <ListSubheader role="presentation">{text('playbooks.sortBy')}</ListSubheader>
        {ORDERS.map((one) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={one === order}
            selected={one === order}
            onClick={choose(() => onOrder(one))}
          >
            {text(`playbooks.orders.${one}`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
