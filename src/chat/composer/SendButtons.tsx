import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { Suspense, useState } from 'react'

import { useChat } from '#providers/chat/useChat.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import type { UnsentMessage } from './ScheduleMenu.tsx'

const ScheduleMenu = lazy(async () => ({ default: (await import('./ScheduleMenu.tsx')).ScheduleMenu }))

interface Props {
  roomId: string
  canSend: boolean
  onSend: () => void
  message: () => UnsentMessage
  onScheduled: () => void
}

/** Sends the message now, or at a time that its menu offers. */
export function SendButtons({ roomId, canSend, onSend, message, onScheduled }: Props) {
  const text = useText()
  const { lacks } = useChat().provider
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  const [isMet, setMet] = useState(false)
  const open = (button: HTMLElement) => {
    setMet(true)
    setMenu(button)
  }
  return (
    <>
      <Tooltip title={text('chatMessages.send')}>
        <span>
          <IconButton
            size="small"
            color="primary"
            aria-label={text('chatMessages.send')}
            disabled={!canSend}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onSend}
          >
            <SendRounded />
          </IconButton>
        </span>
      </Tooltip>
      {!lacks?.has('scheduled') && (
        <Tooltip title={text('chatMessages.sendLater')}>
          <span>
            <IconButton
              size="small"
              aria-label={text('chatMessages.sendLater')}
              aria-haspopup="menu"
              aria-expanded={menu !== null}
              disabled={!canSend}
              onClick={({ currentTarget }) => open(currentTarget)}
              // Both composers of a room and its thread keep their buttons in one row.
              sx={{ '&&': { width: { sm: 24 } } }}
            >
              <ArrowDropDownRounded />
            </IconButton>
          </span>
        </Tooltip>
      )}
      {isMet && (
        <Suspense>
          <ScheduleMenu
            roomId={roomId}
            anchor={menu}
            message={message}
            onClose={() => setMenu(null)}
            onScheduled={onScheduled}
          />
        </Suspense>
      )}
    </>
  )
}
