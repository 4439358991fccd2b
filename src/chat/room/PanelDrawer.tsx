import Drawer from '@mui/material/Drawer'
import type { ReactNode } from 'react'

interface Props {
  label: string
  /** In pixels; on a phone the panel is as wide as the screen. */
  width: number
  onClose: () => void
  children: ReactNode
}

/** A panel of a room, over it. */
export function PanelDrawer({ label, width, onClose, children }: Props) {
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': label, sx: { width: { xs: '100%', sm: width } } } }}
    >
      {children}
    </Drawer>
  )
}
