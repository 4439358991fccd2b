import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { Room } from '#contract/chat/schema.ts'
import { type Chat } from '#providers/chat/chat.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { titleOf } from '../titleValues.ts'

export type RoomAct = 'makeWarRoom' | 'leave' | 'delete' | 'hide'

const WORDS = {
  makeWarRoom: {
    title: 'chatRooms.makeWarRoom',
    text: 'chatRooms.makeWarRoomText',
    submit: 'chatRooms.makeWarRoom',
    done: 'chatRooms.madeWarRoom',
  },
  leave: {
    title: 'chatRooms.leaveTitle',
    text: 'chatRooms.leaveText',
    submit: 'chatRooms.leave',
    done: 'chatRooms.left',
  },
  delete: {
    title: 'chatRooms.deleteTitle',
    text: 'chatRooms.deleteText',
    submit: 'chatRooms.delete',
    done: 'chatRooms.deleted',
  },
  hide: {
    title: 'chatRooms.hideTitle',
    text: 'chatRooms.hideText',
    submit: 'chatRooms.hide',
    done: 'chatRooms.hidden',
  },
} as const

const WORK: Readonly<Record<RoomAct, (chat: Chat, room: Room) => Promise<unknown>>> = {
  makeWarRoom: (chat, { id, version }) =>
    chat.take((provider) => provider.updateRoom(id, { isWarRoom: true, version })),
  leave: (chat, { id }) => chat.provider.leaveRoom(id),
  delete: (chat, { id }) => chat.provider.removeRoom(id),
  hide: async (chat, room) => {
    await chat.provider.hideRoom(room.id)
    chat.put({ ...room, membership: { ...room.membership, hidden: true } })
  },
}

/** Performs a room action and notifies of the result. */
export function useRoomAct(room: Room, onGone: () => void): (act: RoomAct) => Promise<void> {
  const chat = useChat()
  const text = useText()
  const notify = useNotify()
  const notifyUndoable = useUndoable()
  const { type } = useSession().user ?? {}
  return async (act) => {
    await WORK[act](chat, room)
    const done = text(WORDS[act].done, { name: titleOf(room) })
    // External people no longer see a room that they left.
    if (act === 'leave' && type === 'INTERNAL')
      notifyUndoable(done, () => chat.take((provider) => provider.returnToRoom(room.id)))
    else notify(done, { type: 'success' })
    if (act !== 'makeWarRoom') onGone()
  }
}

interface Props {
  room: Room
  act: RoomAct
  onSubmit: () => Promise<void>
  onClose: () => void
}

/** Confirms a room action. A named room is deleted by typing its name. */
export function RoomConfirm({ room, act, onSubmit, onClose }: Props) {
  const text = useText()
  const [typed, setTyped] = useState('')
  const name = titleOf(room)
  const words = WORDS[act]
  const mustType = act === 'delete' && room.name !== null
  return (
    <ConfirmDialog
      open
      title={text(words.title, { name })}
      text={text(words.text, { name })}
      submitLabel={text(words.submit)}
      destructive={act === 'delete' || act === 'leave'}
      disabled={mustType && typed.trim() !== name}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {mustType && (
        <TextField
          label={text('chatRooms.typeName', { name })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoFocus
          slotProps={{ htmlInput: { autoComplete: 'off', dir: 'auto' } }}
          sx={{ mt: 2, overflowWrap: 'anywhere' }}
        />
      )}
    </ConfirmDialog>
  )
}
