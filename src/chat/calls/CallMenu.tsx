import CallEndRounded from '@mui/icons-material/CallEndRounded'
import GroupRounded from '@mui/icons-material/GroupRounded'
import PersonAddRounded from '@mui/icons-material/PersonAddRounded'
import TuneRounded from '@mui/icons-material/TuneRounded'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'

import { isCallSupported } from '#providers/calls/support.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  anchor: HTMLElement | null
  onClose: () => void
  /** False if not permitted. */
  onEverybody: false | (() => void)
  onPeople: false | (() => void)
  onDevices: () => void
  onEnd: false | (() => void)
}

export function CallMenu({ anchor, onClose, onEverybody, onPeople, onDevices, onEnd }: Props) {
  const text = useText()
  const doing = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <Menu
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      // Lets explanations wrap on phones.
      slotProps={{ list: { sx: { '& .MuiMenuItem-root': { whiteSpace: 'normal' } } } }}
    >
      {onEverybody && (
        <MenuItem onClick={doing(onEverybody)} sx={{ minHeight: 44 }}>
          <ListItemIcon>
            <GroupRounded />
          </ListItemIcon>
          <ListItemText primary={text('calls.callEverybody')} secondary={text('calls.callEverybodyText')} />
        </MenuItem>
      )}
      {onPeople && (
        <MenuItem onClick={doing(onPeople)} sx={{ minHeight: 44 }}>
          <ListItemIcon>
            <PersonAddRounded />
          </ListItemIcon>
          <ListItemText primary={text('calls.choosePeople')} secondary={text('calls.choosePeopleText')} />
        </MenuItem>
      )}
      <MenuItem disabled={!isCallSupported()} onClick={doing(onDevices)} sx={{ minHeight: 44 }}>
        <ListItemIcon>
          <TuneRounded />
        </ListItemIcon>
        <ListItemText primary={text('calls.checkDevices')} secondary={text('calls.checkDevicesText')} />
      </MenuItem>
      {onEnd && (
        <MenuItem
          onClick={doing(onEnd)}
          sx={{ minHeight: 44, color: 'error.main', '& svg': { color: 'error.main' } }}
        >
          <ListItemIcon>
            <CallEndRounded />
          </ListItemIcon>
          {text('calls.endForAll')}
        </MenuItem>
      )}
    </Menu>
  )
}
