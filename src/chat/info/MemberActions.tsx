import Button from '@mui/material/Button'

import { isManager, roomCan } from '#contract/chat/rules.ts'
import type { Room, RoomMember, RoomRole } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useText } from '#src/kit/useText.ts'

import type { MemberAct } from './MemberConfirm.tsx'

export interface MembersProps {
  label: string
  room: Room
  me: { readonly userId: string; readonly role: RoomRole }
  members: readonly RoomMember[]
  onAct: (member: RoomMember, act: MemberAct) => void
}

const LABELS = {
  makeAdmin: ['chatRooms.makeAdmin', 'chatRooms.makeAdminOf'],
  removeAdmin: ['chatRooms.removeAdmin', 'chatRooms.removeAdminOf'],
  remove: ['chatRooms.remove', 'chatRooms.removeOf'],
} as const

/** The actions on a member that the caller may take (operations §6). */
function actsOf({ room, me }: Pick<MembersProps, 'room' | 'me'>, member: RoomMember): MemberAct[] {
  const role = member.channel_role
  const standing = { userId: member.user_id, role, active: member.active }
  return [
    ...(!isManager(role) && roomCan.changeRole(room, me, standing, 'channel_admin')
      ? ['makeAdmin' as const]
      : []),
    ...(isManager(role) && roomCan.changeRole(room, me, standing, 'member') ? ['removeAdmin' as const] : []),
    ...(roomCan.remove(room, me, standing) ? ['remove' as const] : []),
  ]
}

/** The buttons of one member, for admins of the room. */
export function MemberActions(props: Pick<MembersProps, 'room' | 'me' | 'onAct'> & { member: RoomMember }) {
  const { member, onAct } = props
  const text = useText()
  const name = fullName(member) || member.email
  return actsOf(props, member).map((act) => {
    const [label, labelOf] = LABELS[act]
    return (
      <Button
        key={act}
        size="small"
        color={act === 'remove' ? 'error' : 'primary'}
        aria-label={text(labelOf, { name })}
        onClick={() => onAct(member, act)}
        sx={{ whiteSpace: 'nowrap', minHeight: { xs: 44, sm: 32 } }}
      >
        {text(label)}
      </Button>
    )
  })
}
