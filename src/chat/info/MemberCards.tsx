import Box from '@mui/material/Box'

import { fullName } from '#contract/kit/names.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'

import { MemberActions, type MembersProps } from './MemberActions.tsx'
import { MemberTags } from './MemberTags.tsx'

export function MemberCards({ label, room, me, members, onAct }: MembersProps) {
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {members.map((member) => (
        <Box
          key={member.user_id}
          component="li"
          sx={{
            display: 'grid',
            gridTemplateColumns: '36px minmax(0, 1fr)',
            columnGap: 1.5,
            alignItems: 'start',
            px: 2,
            py: 1.25,
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <Initials
            firstName={member.firstName}
            lastName={member.lastName}
            imageUrl={member.profileImageUrl}
            size={36}
          />
          <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.75 }}>
              <Box component="span" dir="auto" sx={{ fontWeight: 600 }}>
                {fullName(member)}
              </Box>
              <MemberTags member={member} />
            </Box>
            <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>{member.email}</Box>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, ml: -0.75 }}>
              <MemberActions room={room} me={me} member={member} onAct={onAct} />
            </Box>
          </Box>
        </Box>
      ))}
    </Box>
  )
}
