import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded'
import Box from '@mui/material/Box'
import Button, { type ButtonProps } from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { Suspense, useState } from 'react'

import { channelsAccess } from '#contract/channels/access.ts'
import { roomCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { PrivilegedSwitch } from './PrivilegedSwitch.tsx'
import { type RoomAct, RoomConfirm, useRoomAct } from './RoomConfirm.tsx'

const ExportDialog = lazy(async () => ({ default: (await import('./ExportDialog.tsx')).ExportDialog }))

const Action = (props: ButtonProps) => (
  <Button
    color="inherit"
    {...props}
    fullWidth
    sx={{ justifyContent: 'flex-start', minHeight: { xs: 44, md: 36 }, fontWeight: 400 }}
  />
)

/** The caller's rights on the room (operations §6). */
function useRights(room: Room) {
  const can = useCan()
  const { uuid } = useSession()
  const config = useConfig()
  const { provider } = useChat()
  const me = { userId: uuid ?? '', role: room.membership.role }
  return {
    makeWarRoom: roomCan.makeWarRoom(room, me),
    markPrivileged: config !== undefined && roomCan.markPrivileged(room, me, config),
    export: !provider.lacks?.has('export') && roomCan.export(room, me, can(channelsAccess)),
    hide: roomCan.hide(room) && room.membership.unread === 0,
    leave: !room.isHeadquarters,
    delete: roomCan.delete(room, me),
  }
}

/** Hiding a chat needs confirmation only if somebody in it is archived. */
const mustAskToHide = (room: Room) => room.people.some(({ active }) => !active)

interface Props {
  room: Room
  /** Called when the caller no longer sees the room. */
  onGone: () => void
}

export function RoomActions({ room, onGone }: Props) {
  const text = useText()
  const notify = useNotify()
  const rights = useRights(room)
  const act = useRoomAct(room, onGone)
  const [question, setQuestion] = useState<RoomAct>()
  const [isExporting, setExporting] = useState(false)
  const hide = () => {
    if (mustAskToHide(room)) return setQuestion('hide')
    act('hide').catch((error: unknown) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }))
  }
  if (!Object.values(rights).some(Boolean)) return null
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', py: 1 }}>
      {rights.markPrivileged && <PrivilegedSwitch room={room} />}
      {rights.makeWarRoom && (
        <Action startIcon={<CrisisAlertRounded />} onClick={() => setQuestion('makeWarRoom')}>
          {text('chatRooms.makeWarRoom')}
        </Action>
      )}
      {rights.export && (
        <Action startIcon={<DownloadRounded />} onClick={() => setExporting(true)}>
          {text('chatRooms.export')}
        </Action>
      )}
      {rights.hide && (
        <Action startIcon={<VisibilityOffRounded />} onClick={hide}>
          {text('chatRooms.hide')}
        </Action>
      )}
      {rights.leave && (
        <Action startIcon={<LogoutRounded />} onClick={() => setQuestion('leave')}>
          {text('chatRooms.leave')}
        </Action>
      )}
      {rights.delete && (
        <Box sx={{ mt: 1, pt: 1, borderTop: 1, borderColor: 'divider' }}>
          <Action color="error" startIcon={<DeleteOutlineRounded />} onClick={() => setQuestion('delete')}>
            {text('chatRooms.delete')}
          </Action>
        </Box>
      )}
      {question && (
        <RoomConfirm
          room={room}
          act={question}
          onSubmit={() => act(question)}
          onClose={() => setQuestion(undefined)}
        />
      )}
      <Suspense>{isExporting && <ExportDialog room={room} onClose={() => setExporting(false)} />}</Suspense>
    </Box>
  )
}
