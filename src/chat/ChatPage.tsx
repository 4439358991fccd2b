import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useEffect, useRef } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { ROOM_KINDS, type RoomKind } from '#contract/chat/schema.ts'
import { useChat, useRoom } from '#providers/chat/useChat.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { openFinder } from '#src/kit/layout/shellDialogs.ts'
import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import { RoomLists } from './lists/RoomLists.tsx'
import { RoomView } from './room/RoomView.tsx'
import { useChatKeys } from './useChatKeys.ts'
import { useFilledHeight } from './useFilledHeight.ts'

// Loaded on demand: the page does not wait for its panels, forms and dialogs.
const SearchPanel = lazy(async () => ({ default: (await import('./room/SearchPanel.tsx')).SearchPanel }))
const ChatStart = lazy(async () => ({ default: (await import('./lists/ChatStart.tsx')).ChatStart }))
const NewChatForm = lazy(async () => ({ default: (await import('./form/NewChatForm.tsx')).NewChatForm }))
/** Lists of messages of all rooms, by their parameter in the address. */
const LISTS = {
  scheduled: lazy(async () => ({ default: (await import('./lists/ScheduledPanel.tsx')).ScheduledPanel })),
  threads: lazy(async () => ({ default: (await import('./lists/ThreadsPanel.tsx')).ThreadsPanel })),
  saved: lazy(async () => ({ default: (await import('./lists/SavedPanel.tsx')).SavedPanel })),
  mentions: lazy(async () => ({ default: (await import('./lists/MentionsPanel.tsx')).MentionsPanel })),
}
const LIST_NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[]
/** The search over all rooms works without an open room. */
const isSearch = (params: URLSearchParams): boolean => params.has('search')

/** The room of the address, once it has loaded. */
function OpenRoom({ id, incidentId }: { id: string; incidentId: string | null }) {
  const text = useText()
  const room = useRoom(id, incidentId)
  if (room === undefined) return <ListSkeleton phone />
  if (room === null)
    return (
      <EmptyState
        text={text('chat.noRoom')}
        action={
          <Button component={Link} to="/chat" variant="outlined">
            {text('chat.back')}
          </Button>
        }
      />
    )
  return <RoomView key={id} room={room} />
}

/** The chat (operations §2): lists on the left, a room or the form of a new one beside them; on a phone one at a time. */
export function ChatPage() {
  const navigate = useNavigate()
  const { id } = useParams()
  const [params] = useSearchParams()
  const isNarrow = useMediaQuery(NARROW)
  const area = useRef<HTMLDivElement>(null)
  const height = useFilledHeight(area)
  useChatKeys(id)
  const chat = useChat()
  useEffect(() => chat.start(), [chat])
  const asked = params.get('new')
  const kind = ROOM_KINDS.find((one): one is RoomKind => one === asked)
  const listName = LIST_NAMES.find((name) => params.has(name))
  const hasContent = id !== undefined || kind !== undefined || listName !== undefined || isSearch(params)
  const content = () => {
    if (kind)
      return (
        <Box sx={{ flex: 1, minWidth: 0, overflowY: 'auto' }}>
          <Suspense fallback={<ListSkeleton phone />}>
            <NewChatForm
              key={kind}
              kind={kind}
              onCreated={(room) => void navigate(`/chat/${room.id}`)}
              onCancel={() => void navigate('/chat')}
            />
          </Suspense>
        </Box>
      )
    if (id !== undefined) return <OpenRoom id={id} incidentId={params.get('incident')} />
    if (listName) {
      const List = LISTS[listName]
      return (
        <Suspense fallback={<ListSkeleton phone />}>
          <List />
        </Suspense>
      )
    }
    if (isSearch(params))
      return (
        <Box sx={{ flex: 1, minWidth: 0, overflowY: 'auto' }}>
          <Suspense fallback={<ListSkeleton phone />}>
            <SearchPanel room={null} onClose={() => void navigate('/chat')} onJump={() => {}} />
          </Suspense>
        </Box>
      )
    return (
      <Suspense>
        <ChatStart />
      </Suspense>
    )
  }
  return (
    <Box ref={area} sx={{ display: 'flex', height: height ?? '70vh', minWidth: 0, mb: { xs: -2, sm: 0 } }}>
      {(!isNarrow || !hasContent) && <RoomLists openId={id} onFind={() => openFinder('rooms')} />}
      {(!isNarrow || hasContent) && content()}
    </Box>
  )
}
