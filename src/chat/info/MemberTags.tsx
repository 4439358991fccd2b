import Box from '@mui/material/Box'

import { isManager } from '#contract/chat/rules.ts'
import type { RoomMember } from '#contract/chat/schema.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { useText } from '#src/kit/useText.ts'

/** The label of a role. Moderators have the same rights as admins (operations §6). */
export const roleKey = (role: RoomMember['channel_role']): TextKey =>
  role === 'owner' ? 'chatRooms.owner' : isManager(role) ? 'chatRooms.admin' : 'chatRooms.member'

export function MemberTags({ member }: { member: RoomMember }) {
  const text = useText()
  const keys: TextKey[] = [
    ...(isManager(member.channel_role) ? [roleKey(member.channel_role)] : []),
    ...(member.type === 'EXTERNAL' ? ['chatRooms.external' as const] : []),
    ...(member.active ? [] : ['chatRooms.archived' as const]),
  ]
  return keys.map((key) => (
    <Box
      key={key}
      component="span"
      sx={{
        flex: 'none',
        px: 0.75,
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        fontSize: '0.75rem',
        lineHeight: '18px',
        color: 'text.secondary',
      }}
    >
      {text(key)}
    </Box>
  ))
}
