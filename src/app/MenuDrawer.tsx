import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'

import { useText } from '#src/kit/useText.ts'

import { MenuEntries } from './MenuEntries.tsx'

export function MenuDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const text = useText()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': text('app.mainMenu'), sx: { width: 280 } } }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', p: 1.5, pb: 0 }}>
        <IconButton aria-label={text('app.closeMenu')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      <Box component="nav" aria-label={text('app.mainMenu')}>
        <MenuEntries onFollow={onClose} />
      </Box>
    </Drawer>
  )
}
