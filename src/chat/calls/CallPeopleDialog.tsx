import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import { useState } from 'react'

import { type Ringing, RINGS_MAX, TOO_MANY_RINGS } from '#contract/calls/schema.ts'
import type { Room, RoomMember } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useSession } from '#providers/session.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'

import { ListDialog } from '../info/ListDialog.tsx'
import { MemberTags } from '../info/MemberTags.tsx'
import { useMembers } from '../info/queries.ts'
import { useListPart } from '../info/useListPart.ts'
import { titleOf } from '../titleValues.ts'

interface RowProps {
  member: RoomMember
  isChosen: boolean
  isInCall: boolean
  onChange: (isChosen: boolean) => void
}
function Row({ member, isChosen, isInCall, onChange }: RowProps) {
  const text = useText()
  return (
    <Box
      component="label"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 48,
        px: { xs: 1, sm: 2 },
        cursor: isInCall ? 'default' : 'pointer',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <Checkbox
        checked={isChosen}
        disabled={isInCall}
        onChange={(_, isOn) => onChange(isOn)}
        slotProps={{ input: { 'aria-label': fullName(member) } }}
      />
      <Initials
        firstName={member.firstName}
        lastName={member.lastName}
        imageUrl={member.profileImageUrl}
        size={32}
      />
      <Box sx={{ flex: 1, minWidth: 0, py: 0.5, overflowWrap: 'anywhere' }}>
        <bdi>{fullName(member)}</bdi>
        {isInCall && (
          <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>{text('calls.inCall')}</Box>
        )}
      </Box>
      <MemberTags member={member} />
    </Box>
  )
}

interface Props {
  room: Room
  onCall: (ringing: Ringing) => void
  onClose: () => void
}

/** Chooses the members of a room to call. */
export function CallPeopleDialog({ room, onCall, onClose }: Props) {
  const text = useText()
  const { uuid } = useSession()
  const list = useListPart()
  const query = useMembers(room.id, list.part)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const inCall = new Set(room.callDetails?.participants.map(({ userId }) => userId))
  const offered = query.data?.items.filter(({ user_id, active }) => active && user_id !== uuid)
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const isTooMany = chosen.size > RINGS_MAX
  return (
    <ListDialog
      title={`${text('calls.choosePeople')} · ${titleOf(room)}`}
      filter={text('calls.filterMembers')}
      list={list}
      query={query}
      total={query.data?.total ?? 0}
      notice={
        <Box role="status" sx={{ fontSize: '0.8125rem', color: isTooMany ? 'error.main' : 'text.secondary' }}>
          {isTooMany ? TOO_MANY_RINGS : text('calls.chosen', { smart_count: chosen.size })}
        </Box>
      }
      actions={
        <>
          <CancelButton onClick={onClose} />
          <Button
            variant="contained"
            disabled={chosen.size === 0 || isTooMany}
            onClick={() => {
              onClose()
              onCall({ who: 'PEOPLE', userIds: [...chosen] })
            }}
          >
            {chosen.size === 0 ? text('calls.call') : text('calls.callChosen', { smart_count: chosen.size })}
          </Button>
        </>
      }
      onClose={onClose}
    >
      {offered?.length === 0 && (
        <EmptyState text={text(list.part.q === '' ? 'calls.nobodyElse' : 'chatRooms.nothingFound')} />
      )}
      <Box component="ul" aria-label={text('chatRooms.members')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {offered?.map((member) => (
          <li key={member.user_id}>
            <Row
              member={member}
              isChosen={chosen.has(member.user_id)}
              isInCall={inCall.has(member.user_id)}
              onChange={(isOn) => choose(member.user_id, isOn)}
            />
          </li>
        ))}
      </Box>
    </ListDialog>
  )
}
