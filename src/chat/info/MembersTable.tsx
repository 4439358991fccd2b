import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'

import { roomCan } from '#contract/chat/rules.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { MemberActions, type MembersProps } from './MemberActions.tsx'
import { roleKey } from './MemberTags.tsx'

export function MembersTable({ label, room, me, members, onAct }: MembersProps) {
  const text = useText()
  const manages = roomCan.addMembers(room, me)
  return (
    <Table size="small" stickyHeader aria-label={label} sx={{ tableLayout: 'fixed' }}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ width: 52 }}>
            <Box component="span" sx={visuallyHidden}>
              {text('chatRooms.avatar')}
            </Box>
          </TableCell>
          <TableCell sx={{ width: '16%' }}>{text('chatRooms.firstName')}</TableCell>
          <TableCell sx={{ width: '16%' }}>{text('chatRooms.lastName')}</TableCell>
          <TableCell>{text('chatRooms.email')}</TableCell>
          <TableCell sx={{ width: 72 }}>{text('chatRooms.active')}</TableCell>
          <TableCell sx={{ width: 88 }}>{text('chatRooms.role')}</TableCell>
          {manages && (
            <TableCell align="right" sx={{ width: 216 }}>
              {text('chatRooms.actions')}
            </TableCell>
          )}
        </TableRow>
      </TableHead>
      <TableBody>
        {members.map((member) => (
          <TableRow
            key={member.user_id}
            hover
            sx={{ '& td': { overflowWrap: 'anywhere', ...(!member.active && { color: 'text.secondary' }) } }}
          >
            <TableCell>
              <Initials
                firstName={member.firstName}
                lastName={member.lastName}
                imageUrl={member.profileImageUrl}
                size={28}
              />
            </TableCell>
            <TableCell dir="auto" sx={{ fontWeight: 600 }}>
              {member.firstName}
            </TableCell>
            <TableCell dir="auto" sx={{ fontWeight: 600 }}>
              {member.lastName}
            </TableCell>
            <TableCell>
              {member.email}
              {member.type === 'EXTERNAL' && (
                <Box sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>{text('chatRooms.external')}</Box>
              )}
            </TableCell>
            <TableCell>{text(member.active ? 'chatRooms.yes' : 'chatRooms.no')}</TableCell>
            <TableCell>{text(roleKey(member.channel_role))}</TableCell>
            {manages && (
              <TableCell align="right" sx={{ whiteSpace: { md: 'nowrap' } }}>
                <MemberActions room={room} me={me} member={member} onAct={onAct} />
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
