import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useRef, useState } from 'react'

import { roomCan } from '#contract/chat/rules.ts'
import type { Room, RoomMember } from '#contract/chat/schema.ts'
import { useSession } from '#providers/session.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'

import { AddUsers } from './AddUsers.tsx'
import { ListDialog } from './ListDialog.tsx'
import { MemberCards } from './MemberCards.tsx'
import { type MemberAct, MemberConfirm } from './MemberConfirm.tsx'
import { MembersTable } from './MembersTable.tsx'
import { useMembers } from './queries.ts'
import { useListPart } from './useListPart.ts'

/** A member action that waits for confirmation. */
interface Question {
  readonly member: RoomMember
  readonly act: MemberAct
}

/** Members of a room; its admins add and remove people and make others admins (operations §2 "Manage modal"). */
export function ManageDialog({ room, onClose }: { room: Room; onClose: () => void }) {
  const text = useText()
  const { uuid } = useSession()
  const isNarrow = useMediaQuery(NARROW, { noSsr: true })
  const list = useListPart()
  const query = useMembers(room.id, list.part)
  const [question, setQuestion] = useState<Question>()
  const rows = useRef<HTMLDivElement>(null)
  const me = { userId: uuid ?? '', role: room.membership.role }
  const manages = roomCan.addMembers(room, me)
  const manageTitle =
    room.name === null ? text('chatRooms.manageChat') : text('chatRooms.manage', { name: room.name })
  const title = manages ? manageTitle : text('chatRooms.memberList')
  const members = query.data?.items
  const View = isNarrow ? MemberCards : MembersTable
  return (
    <>
      <ListDialog
        title={title}
        filter={text('chatRooms.filterMembers')}
        list={list}
        query={query}
        total={query.data?.total ?? 0}
        isWide
        lead={manages && <AddUsers room={room} label={text('chatRooms.addMembers')} isWide />}
        actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
        onClose={onClose}
      >
        {members?.length === 0 && (
          <EmptyState text={text(list.part.q === '' ? 'chatRooms.noMembers' : 'chatRooms.nothingFound')} />
        )}
        {members && members.length > 0 && (
          <Box ref={rows} tabIndex={-1} sx={{ outline: 'none' }}>
            <View
              label={text('chatRooms.memberList')}
              room={room}
              me={me}
              members={members}
              onAct={(member, act) => setQuestion({ member, act })}
            />
          </Box>
        )}
      </ListDialog>
      {question && (
        <MemberConfirm
          room={room}
          {...question}
          onClose={() => setQuestion(undefined)}
          // The row and its focused button may be gone.
          onDone={() => requestAnimationFrame(() => rows.current?.focus())}
        />
      )}
    </>
  )
}
