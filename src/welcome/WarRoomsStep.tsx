import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { fullName } from '#contract/kit/names.ts'
import { repeatedNames } from '#contract/welcome/rules.ts'
import { ROOM_NAME_TAKEN, WAR_ROOMS_MAX, WAR_ROOMS_RECOMMENDED } from '#contract/welcome/schema.ts'
import { welcome } from '#providers/i18n/welcome.ts'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { newKey, peopleOf, type Room } from './draftValues.ts'
import type { Welcome } from './useWelcome.ts'
import { WarRoomCard } from './WarRoomCard.tsx'

const texts = welcome.rooms

/** The war rooms, each with its admin and members. */
export function WarRoomsStep({
  welcome: { state, draft, isLocked, isChecked, change },
}: {
  welcome: Welcome
}) {
  const { rooms } = draft
  const isFull = rooms.length >= WAR_ROOMS_MAX
  const repeated = new Set(repeatedNames(rooms.map(({ label }) => label)))
  const people = new Map(
    [state.mainAdminUser, ...draft.users].map((user) => [user.email, fullName(user)] as const),
  )
  const replace = (key: string, by: Room | null) =>
    change((before) => ({
      ...before,
      rooms: before.rooms.flatMap((room) => (room.key === key ? (by ?? []) : room)),
    }))
  const add = () => {
    const room = { label: '', admin: state.mainAdminUser.email, members: [], isGroup: false, isCustom: true }
    change((before) => ({ ...before, rooms: [...before.rooms, { ...room, key: newKey() }] }))
  }
  return (
    <>
      <Lead>
        {texts.text} {texts.hint(...WAR_ROOMS_RECOMMENDED)}
      </Lead>
      {rooms.length === 0 && <Lead>{texts.empty}</Lead>}
      <Box component="ol" sx={{ display: 'grid', gap: 2, m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {rooms.map((room, n) => (
          <li key={room.key}>
            <WarRoomCard
              number={n + 1}
              room={room}
              people={people}
              problem={repeated.has(n) ? ROOM_NAME_TAKEN : undefined}
              isIncomplete={isChecked && (room.label.trim() === '' || peopleOf(room).length === 0)}
              canBeGroup={state.groupsEnabled}
              isLocked={isLocked}
              onChange={(next) => replace(room.key, next)}
              onRemove={() => replace(room.key, null)}
            />
          </li>
        ))}
      </Box>
      {!isLocked && (
        <Button startIcon={<AddRounded />} disabled={isFull} onClick={add} sx={{ mt: 2 }}>
          {texts.add}
        </Button>
      )}
      {isFull && !isLocked && <Lead>{texts.full(WAR_ROOMS_MAX)}</Lead>}
    </>
  )
}
