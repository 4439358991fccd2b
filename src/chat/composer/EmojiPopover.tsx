import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import Popover from '@mui/material/Popover'
import { Suspense } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const EmojiPicker = lazy(async () => ({ default: (await import('./EmojiPicker.tsx')).EmojiPicker }))

interface Props {
  anchor: HTMLElement | null
  onPick: (emoji: string) => void
  onClose: () => void
}

/** Opens the emoji picker, which loads on first use. */
export function EmojiPopover({ anchor, onPick, onClose }: Props) {
  const text = useText()
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
      transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      slotProps={{ paper: { 'aria-label': text('chatMessages.emoji'), role: 'dialog' } }}
    >
      {/* Reserves the picker's width: a popover is positioned only once. */}
      <Box sx={{ width: { xs: 'min(368px, calc(100vw - 32px))', sm: 336 } }}>
        <Suspense
          fallback={
            <Box sx={{ display: 'grid', placeItems: 'center', height: 360 }}>
              <CircularProgress aria-label={text('kit.loading')} />
            </Box>
          }
        >
          <EmojiPicker
            onPick={(emoji) => {
              onClose()
              onPick(emoji)
            }}
          />
        </Suspense>
      </Box>
    </Popover>
  )
}
