import LogoutRounded from '@mui/icons-material/LogoutRounded'
import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'

import type { SessionUser } from '#contract/sessions/schema.ts'
import { fullName } from '#contract/users/rules.ts'
import { signOut } from '#providers/send.ts'
import { ColorSchemeToggle } from '#src/kit/ColorSchemeToggle.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  user: SessionUser
  anchor: HTMLElement | null
  onClose: () => void
}

/** What belongs to the signed-in person: their name and role, the colour scheme, the way out. */
export function AccountPanel({ user, anchor, onClose }: Props) {
  const text = useText()
  return (
    <Menu
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      disablePortal
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { sx: { width: 264, mt: 1, border: 1, borderColor: 'divider' } } }}
    >
      <Box component="li" role="none" sx={{ px: 2, py: 1 }}>
        <Typography variant="subtitle2" component="div" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
          {fullName(user)}
        </Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {text(`app.roles.${user.role}`)}
        </Typography>
      </Box>
      <Divider component="li" />
      <Box component="li" role="none" sx={{ px: 2, pt: 1 }}>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {text('kit.theme')}
        </Typography>
      </Box>
      <ColorSchemeToggle />
      <Divider component="li" />
      <MenuItem onClick={() => void signOut()}>
        <ListItemIcon>
          <LogoutRounded />
        </ListItemIcon>
        {text('app.signOut')}
      </MenuItem>
    </Menu>
  )
}
