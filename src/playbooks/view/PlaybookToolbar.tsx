import EditRounded from '@mui/icons-material/EditRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type ReactElement, useState } from 'react'

import { useText } from '#src/kit/useText.ts'

export interface PlaybookAction {
  readonly label: string
  readonly act: () => void
  readonly disabled?: boolean
  readonly isDestructive?: boolean
}
export const ICONS: Readonly<Record<'start' | 'edit', ReactElement>> = {
  start: <PlayArrowRounded />,
  edit: <EditRounded />,
}

function MoreMenu({ actions }: { actions: readonly PlaybookAction[] }) {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        aria-label={text('playbooks.more')}
        title={text('playbooks.more')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: { xs: 44, md: 36 }, height: { xs: 44, md: 36 } }}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': text('playbooks.moreActions') } }}
      >
        {actions.map(({ label, act, disabled = false, isDestructive = false }) => (
          <MenuItem
            key={label}
            disabled={disabled}
            onClick={() => {
              setAnchor(null)
              act()
            }}
            sx={isDestructive ? { color: 'error.main' } : {}}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

interface Props {
  /** Actions shown as buttons, of which the first is filled where it is the act of the page. */
  main: readonly (PlaybookAction & { readonly icon: ReactElement; readonly isFilled?: boolean })[]
  more: readonly PlaybookAction[]
}

/** Actions on a playbook (operations §2): one filled, Edit beside it, the others in a menu. */
export function PlaybookToolbar({ main, more }: Props) {
  const text = useText()
  // Destructive actions come last.
  const inMenu = more.toSorted((a, b) => Number(a.isDestructive ?? false) - Number(b.isDestructive ?? false))
  return (
    <Box role="group" aria-label={text('playbooks.view')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {main.map(({ label, icon, act, disabled = false, isFilled = false }) => (
        <Button
          key={label}
          variant={isFilled ? 'contained' : 'outlined'}
          color={isFilled ? 'primary' : 'inherit'}
          startIcon={icon}
          disabled={disabled}
          onClick={act}
          sx={isFilled ? {} : { borderColor: 'background.edge' }}
        >
          {label}
        </Button>
      ))}
      {inMenu.length > 0 && <MoreMenu actions={inMenu} />}
    </Box>
  )
}
