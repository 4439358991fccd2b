import AccountCircleRounded from '@mui/icons-material/AccountCircleRounded'
import DevicesRounded from '@mui/icons-material/DevicesRounded'
import GavelRounded from '@mui/icons-material/GavelRounded'
import KeyboardRounded from '@mui/icons-material/KeyboardRounded'
import LockRounded from '@mui/icons-material/LockRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import PhoneRounded from '@mui/icons-material/PhoneRounded'
import PolicyRounded from '@mui/icons-material/PolicyRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { type ComponentType, type LazyExoticComponent, type RefObject, Suspense, useState } from 'react'

import type { SessionUser } from '#contract/sessions/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { signOut } from '#providers/send.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useReadablePhone } from '#src/kit/phones.ts'
import { ColorSchemeToggle } from '#src/kit/theme/ColorSchemeToggle.tsx'
import { openShortcuts } from '#src/kit/layout/shellDialogs.ts'
import { useText } from '#src/kit/useText.ts'

type Dialog = LazyExoticComponent<ComponentType<{ onClose: () => void }>>
const PhoneDialog: Dialog = lazy(async () => ({
  default: (await import('#src/account/PhoneDialog.tsx')).PhoneDialog,
}))
/** Ordered by frequency of use. */
const ACTS = [
  {
    label: 'account.changePassword',
    icon: LockRounded,
    dialog: lazy(async () => ({ default: (await import('#src/account/PasswordDialog.tsx')).PasswordDialog })),
  },
  {
    label: 'account.twoFactor',
    icon: VerifiedUserRounded,
    dialog: lazy(async () => ({ default: (await import('#src/account/SecurityDialog.tsx')).SecurityDialog })),
  },
  {
    label: 'account.devices',
    icon: DevicesRounded,
    dialog: lazy(async () => ({ default: (await import('#src/account/DevicesDialog.tsx')).DevicesDialog })),
  },
  {
    label: 'account.manageAvatar',
    icon: AccountCircleRounded,
    dialog: lazy(async () => ({ default: (await import('#src/account/AvatarDialog.tsx')).AvatarDialog })),
  },
] as const
const PAGES = [
  { label: 'account.terms', icon: GavelRounded, href: '/terms' },
  { label: 'account.privacy', icon: PolicyRounded, href: '/privacy' },
] as const

interface Props {
  user: SessionUser
  /** The button that opened the menu. */
  button: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
}

/** The menu of the signed-in person (foundation §2 "Application shell"): account dialogs and sign-out. */
export function AccountPanel({ user, button, open, onClose }: Props) {
  const text = useText()
  const [Shown, setShown] = useState<Dialog>()
  const show = (dialog: Dialog) => {
    onClose()
    setShown(() => dialog)
  }
  const closeDialog = () => {
    setShown(undefined)
    // The menu entry that had the focus is gone.
    button.current?.focus()
  }
  const readablePhone = useReadablePhone()
  const { phoneNumber, phoneExtension } = user
  return (
    <>
      <Menu
        anchorEl={open ? button.current : null}
        open={open}
        onClose={onClose}
        disablePortal
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { width: 264, mt: 1 } } }}
      >
        <Box component="li" role="none" sx={{ px: 2, py: 1 }}>
          <Typography variant="subtitle2" component="div" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
            {fullName(user)}
          </Typography>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {text(`app.roles.${user.role}`)}
          </Typography>
        </Box>
        <Divider component="li" sx={{ mb: 1 }} />
        <MenuItem
          autoFocus
          onClick={() => show(PhoneDialog)}
          {...(phoneNumber && {
            'aria-label': `${text('account.changePhone')}: ${readablePhone(phoneNumber, phoneExtension)}`,
          })}
        >
          <ListItemIcon>
            <Badge variant="dot" color="error" invisible={phoneNumber !== null}>
              <PhoneRounded />
            </Badge>
          </ListItemIcon>
          {phoneNumber ? readablePhone(phoneNumber, phoneExtension) : text('account.setPhone')}
        </MenuItem>
        {ACTS.map(({ label, icon: Icon, dialog }) => (
          <MenuItem key={label} onClick={() => show(dialog)}>
            <ListItemIcon>
              <Icon />
            </ListItemIcon>
            {text(label)}
          </MenuItem>
        ))}
        <Divider component="li" />
        <Box component="li" role="none" sx={{ px: 2, pt: 1 }}>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {text('kit.theme')}
          </Typography>
        </Box>
        <ColorSchemeToggle />
        <Divider component="li" />
        <MenuItem
          sx={{ display: { xs: 'none', sm: 'flex' } }}
          onClick={() => {
            onClose()
            openShortcuts()
          }}
        >
          <ListItemIcon>
            <KeyboardRounded />
          </ListItemIcon>
          {text('shortcuts.title')}
        </MenuItem>
        {PAGES.map(({ label, icon: Icon, href }) => (
          <MenuItem key={href} component="a" href={href} target="_blank" rel="noreferrer" onClick={onClose}>
            <ListItemIcon>
              <Icon />
            </ListItemIcon>
            {text(label)}
          </MenuItem>
        ))}
        {/* Separates sign-out from the entries that open dialogs. */}
        <Divider component="li" />
        <MenuItem onClick={() => void signOut()}>
          <ListItemIcon>
            <LogoutRounded />
          </ListItemIcon>
          {text('app.signOut')}
        </MenuItem>
      </Menu>
      {Shown && (
        <Suspense>
          <Shown onClose={closeDialog} />
        </Suspense>
      )}
    </>
  )
}
