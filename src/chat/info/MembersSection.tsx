import ManageAccountsRounded from '@mui/icons-material/ManageAccountsRounded'
import PeopleRounded from '@mui/icons-material/PeopleRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Tooltip from '@mui/material/Tooltip'

import { roomCan } from '#contract/chat/rules.ts'
import type { Room, RoomMember } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useSession } from '#providers/session.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { LoadProblem } from './LoadProblem.tsx'
import { MemberTags } from './MemberTags.tsx'
import { useMembers, usePresence } from './queries.ts'
import { Section } from './Section.tsx'

/** Members shown in the panel (decisions §3). */
const SHOWN_MAX = 10
const FIRST = { size: SHOWN_MAX } as const
const ROWS = [1, 2, 3] as const

function Member({ member, isOnline, isMe }: { member: RoomMember; isOnline: boolean; isMe: boolean }) {
  const text = useText()
  return (
    <Box
      component="li"
      sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0, minHeight: 36, py: 0.25 }}
    >
      <Box
        sx={{
          position: 'relative',
          flex: 'none',
          opacity: member.active ? 1 : 0.6,
          ...(isOnline && {
            '&::after': {
              content: '""',
              position: 'absolute',
              insetInlineEnd: -2,
              bottom: -2,
              width: 10,
              height: 10,
              borderRadius: '50%',
              border: 2,
              borderColor: 'background.paper',
              bgcolor: 'success.main',
            },
          }),
        }}
        title={isOnline ? text('chatRooms.online') : undefined}
      >
        <Initials
          firstName={member.firstName}
          lastName={member.lastName}
          imageUrl={member.profileImageUrl}
          size={28}
        />
      </Box>
      <Box
        component="span"
        dir="auto"
        title={member.email}
        sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', lineHeight: 1.3 }}
      >
        {fullName(member) || member.email}
        {isMe && (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {` (${text('chatRooms.you')})`}
          </Box>
        )}
        {isOnline && (
          <Box component="span" sx={visuallyHidden}>
            {` ${text('chatRooms.online')}`}
          </Box>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 0.5 }}>
        <MemberTags member={member} />
      </Box>
    </Box>
  )
}

/** The first members of a room, and a link to all of them. */
export function MembersSection({ room, onManage }: { room: Room; onManage: () => void }) {
  const text = useText()
  const { uuid: me } = useSession()
  const { data, error, refetch } = useMembers(room.id, FIRST)
  const members = data?.items
  const online = usePresence(members?.map(({ user_id }) => user_id) ?? [])
  const manages = roomCan.addMembers(room, { userId: me ?? '', role: room.membership.role })
  const label = text(manages ? 'chatRooms.manageMembers' : 'chatRooms.memberList')
  const action = (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={onManage} sx={{ color: 'text.secondary' }}>
        {manages ? <ManageAccountsRounded /> : <PeopleRounded />}
      </IconButton>
    </Tooltip>
  )
  return (
    <Section name="members" title={text('chatRooms.members')} count={room.member_count} action={action}>
      {!members && error !== null && (
        <LoadProblem message={text('chatRooms.membersNotLoaded')} onRetry={() => void refetch()} />
      )}
      {!members && !error && (
        <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block' }}>
          {ROWS.map((row) => (
            <Skeleton key={row} height={36} />
          ))}
        </Box>
      )}
      {members && (
        <Box component="ul" aria-label={text('chatRooms.members')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {members.map((member) => (
            <Member
              key={member.user_id}
              member={member}
              isOnline={online.has(member.user_id)}
              isMe={member.user_id === me}
            />
          ))}
        </Box>
      )}
      {(data?.total ?? 0) > SHOWN_MAX && (
        <Button size="small" onClick={onManage} sx={{ mt: 0.5, mx: -0.5 }}>
          {text('chatRooms.viewMembers')}
        </Button>
      )}
    </Section>
  )
}
