import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
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
export const ICONS: Readonly<Record<'edit' | 'clone' | 'move' | 'download' | 'delete', ReactElement>> = {
  edit: <EditRounded />,
  clone: <ContentCopyRounded />,
  move: <DriveFileMoveRounded />,
  download: <DownloadRounded />,
  delete: <DeleteOutlineRounded />,
}

function MoreMenu({ actions }: { actions: readonly PlaybookAction[] }) {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<MoreVertRounded />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ borderColor: 'background.edge' }}
      >
        {text('playbooks.more')}
      </Button>
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
  /** Actions shown as buttons; on a phone all but the first move into the menu. */
  main: readonly (PlaybookAction & { readonly icon: ReactElement })[]
  more: readonly PlaybookAction[]
  isNarrow: boolean
}

/** Actions on a playbook (operations §2). */
export function PlaybookToolbar({ main, more, isNarrow }: Props) {
  const text = useText()
  const buttons = isNarrow ? main.slice(0, 1) : main
  const hidden = isNarrow ? main.slice(1) : []
  // Destructive actions come last.
  const inMenu = [...hidden, ...more].toSorted(
    (a, b) => Number(a.isDestructive ?? false) - Number(b.isDestructive ?? false),
  )
  return (
    <Box
      role="group"
      aria-label={text('playbooks.view')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}
    >
      {buttons.map(({ label, icon, act, disabled = false, isDestructive = false }) => (
        <Button
          key={label}
          variant="outlined"
          color={isDestructive ? 'error' : 'inherit'}
          startIcon={icon}
          disabled={disabled}
          onClick={act}
          sx={isDestructive ? {} : { borderColor: 'background.edge' }}
        >
          {label}
        </Button>
      ))}
      {inMenu.length > 0 && <MoreMenu actions={inMenu} />}
    </Box>
  )
}
