import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { ROOM_KINDS, type Room } from '#contract/chat/schema.ts'
import { useChat, useRoomList } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'

import { RoomRow } from './RoomRow.tsx'

/** Rooms that are listed; the others stand in the lists beside them. */
const SHOWN = 8
const isWaiting = ({ membership: { unread, mentions = 0, isMuted } }: Room): boolean =>
  mentions > 0 || (unread > 0 && !isMuted)

/** Rooms with something unread: those of the loaded lists, which follow what happens, and those beyond their first page. */
function useUnreadRooms(): readonly Room[] | undefined {
  const chat = useChat()
  const lists = [useRoomList('WAR_ROOM'), useRoomList('BREAKOUT_ROOM'), useRoomList('DIRECT_MESSAGE')]
  const { data } = useQuery({
    queryKey: ['chat', 'unread-rooms'],
    queryFn: ({ signal }) => chat.provider.rooms({ isUnread: true, first: 0, count: SHOWN, signal }),
  })
  if (lists.some(({ status }) => status === 'loading')) return undefined
  const loaded = lists.flatMap(({ rooms }) => rooms)
  const known = new Set(loaded.map(({ id }) => id))
  const further = (data?.items ?? []).filter(({ id }) => !known.has(id))
  return [...loaded, ...further].filter(isWaiting).slice(0, SHOWN)
}

/** The right side of the chat while no room is open: what is unread, and how to begin. */
export function ChatStart() {
  const text = useText()
  const { user } = useSession()
  const rooms = useUnreadRooms()
  const kinds = ROOM_KINDS.filter(
    (kind) => kind !== 'WAR_ROOM' && (kind === 'DIRECT_MESSAGE' || user?.type !== 'EXTERNAL'),
  )
  return (
    <Box sx={{ flex: 1, minWidth: 0, overflowY: 'auto' }}>
      <Box sx={{ maxWidth: 520, mx: 'auto', px: 3, py: 6, display: 'grid', gap: 3 }}>
        {rooms && rooms.length > 0 && (
          <section aria-labelledby="unread-rooms">
            <Typography id="unread-rooms" variant="h2" sx={{ mb: 1 }}>
              {text('chat.isUnread')}
            </Typography>
            <Box component="ul" sx={{ m: 0, p: 0, mx: -1, listStyle: 'none' }}>
              {rooms.map((room) => (
                <li key={room.id}>
                  <RoomRow room={room} isOpen={false} />
                </li>
              ))}
            </Box>
          </section>
        )}
        {rooms && (
          <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
            <Typography sx={{ color: 'text.secondary' }}>
              {text(rooms.length > 0 ? 'chat.choose' : 'chat.allRead')}
            </Typography>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
              {kinds.map((kind) => (
                <Button
                  key={kind}
                  component={Link}
                  to={`/chat?new=${kind}`}
                  variant="outlined"
                  startIcon={<AddRounded />}
                >
                  {text(`chat.create.${kind}`)}
                </Button>
              ))}
            </Box>
          </Box>
        )}
      </Box>
    </Box>
  )
}
