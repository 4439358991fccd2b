import type { Room, RoomMember } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useRefreshMembers } from './queries.ts'

export type MemberAct = 'makeAdmin' | 'removeAdmin' | 'remove'

const WORDS = {
  makeAdmin: { title: 'chatRooms.makeAdmin', text: 'chatRooms.makeAdminText', submit: 'chatRooms.makeAdmin' },
  removeAdmin: {
    title: 'chatRooms.removeAdmin',
    text: 'chatRooms.removeAdminText',
    submit: 'chatRooms.removeAdmin',
  },
  remove: { title: 'chatRooms.removeMember', text: 'chatRooms.removeMemberText', submit: 'chatRooms.remove' },
} as const

interface Props {
  room: Room
  member: RoomMember
  act: MemberAct
  onDone: () => void
  onClose: () => void
}

/** Confirms removing a member or changing the role, and shows a failure. */
export function MemberConfirm({ room, member, act, onDone, onClose }: Props) {
  const text = useText()
  const { provider } = useChat()
  const refresh = useRefreshMembers(room.id)
  const words = WORDS[act]
  const name = fullName(member) || member.email
  const submit = async () => {
    if (act === 'remove') await provider.removeMember(room.id, member.user_id)
    else await provider.changeRole(room.id, member.user_id, act === 'makeAdmin' ? 'channel_admin' : 'member')
    refresh()
    onDone()
  }
  return (
    <ConfirmDialog
      open
      title={text(words.title)}
      text={text(words.text, { name })}
      submitLabel={text(words.submit)}
      destructive={act !== 'makeAdmin'}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}
