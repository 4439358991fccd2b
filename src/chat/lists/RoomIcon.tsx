import ForumRounded from '@mui/icons-material/ForumRounded'
import GppMaybeRounded from '@mui/icons-material/GppMaybeRounded'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import HomeWorkRounded from '@mui/icons-material/HomeWorkRounded'
import ShieldRounded from '@mui/icons-material/ShieldRounded'

import type { Room } from '#contract/chat/schema.ts'
import { getSession } from '#providers/session.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'

/** Icon of the room's kind; for a direct message with one other person, their picture. */
export function RoomIcon({ room }: { room: Room }) {
  if (room.kind === 'DIRECT_MESSAGE') {
    const others = room.people.filter(({ uuid }) => uuid !== getSession().uuid)
    const [other] = others
    if (!other || room.member_count > 2) return <GroupsRounded fontSize="small" />
    return <Initials {...other} imageUrl={other.profileImageUrl} size={20} />
  }
  if (room.privileged) return <GppMaybeRounded fontSize="small" />
  if (room.isHeadquarters) return <HomeWorkRounded fontSize="small" />
  return room.isWarRoom ? <ShieldRounded fontSize="small" /> : <ForumRounded fontSize="small" />
}
