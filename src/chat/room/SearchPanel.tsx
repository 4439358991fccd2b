import CloseRounded from '@mui/icons-material/CloseRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Message, Room, RoomMember } from '#contract/chat/schema.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { taggedName, useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/resource/ListSkeleton.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { NAMES_IN_LIST, titleOf } from '../titleValues.ts'

const DEBOUNCE_MS = 500
const PEOPLE = 20
const startOf = (day: string): string | undefined =>
  day ? new Date(`${day}T00:00:00`).toISOString() : undefined
const endOf = (day: string): string | undefined =>
  day ? new Date(`${day}T23:59:59.999`).toISOString() : undefined

function Found({ message, onFollow }: { message: Message; onFollow: () => void }) {
  const chat = useChat()
  const { nameOf, nameByEmail } = useChatPeople()
  const room = chat.room(message.roomId)
  return (
    <ButtonBase
      onClick={onFollow}
      sx={{
        display: 'block',
        width: '100%',
        p: 1.5,
        textAlign: 'start',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ display: 'flex', gap: 1, fontSize: '0.75rem', color: 'text.secondary' }}>
        <Box component="span" dir="auto" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          <b>{nameOf(message.user)}</b>
          {room && ` · ${titleOf(room, NAMES_IN_LIST)}`}
        </Box>
        <Time at={message.created_at} short />
      </Box>
      <Typography
        variant="body2"
        dir="auto"
        sx={{
          display: '-webkit-box',
          WebkitLineClamp: 3,
          WebkitBoxOrient: 'vertical',
          overflow: 'hidden',
          overflowWrap: 'anywhere',
        }}
      >
        {lineOf(message.text, nameByEmail) || message.attachments.map(({ title }) => title).join(', ')}
      </Typography>
    </ButtonBase>
  )
}

interface Filters {
  readonly q: string
  readonly isHere: boolean
  readonly person: RoomMember | null
  readonly from: string
  readonly to: string
}

function SearchFields({
  room,
  filters,
  onChange,
}: {
  room: Room
  filters: Filters
  onChange: (filters: Filters) => void
}) {
  const text = useText()
  const chat = useChat()
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed, DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: ['chat', 'authors', room.id, name],
    queryFn: ({ signal }) =>
      chat.provider.members(room.id, { ...(name && { q: name }), first: 0, count: PEOPLE, signal }),
    placeholderData: keepPreviousData,
  })
  const day = (source: 'from' | 'to') => (
    <TextField
      type="date"
      size="small"
      label={text(`chat.${source}`)}
      value={filters[source]}
      onChange={({ target }) => onChange({ ...filters, [source]: target.value })}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  )
  return (
    <Box sx={{ display: 'grid', gap: 1.5, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <TextField
        // The panel was opened to type in it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        size="small"
        type="search"
        label={text('chat.searchFor')}
        value={filters.q}
        onChange={({ target }) => onChange({ ...filters, q: target.value })}
      />
      <FormControlLabel
        control={
          <Switch
            checked={filters.isHere}
            onChange={(_, isHere) => onChange({ ...filters, isHere })}
            size="small"
          />
        }
        label={text('chat.onlyHere')}
      />
      <Autocomplete
        size="small"
        options={[...(data?.items ?? [])]}
        value={filters.person}
        onChange={(_, person) => onChange({ ...filters, person })}
        onInputChange={(_, value, reason) => setTyped(reason === 'input' ? value : '')}
        filterOptions={(options) => options}
        getOptionLabel={taggedName}
        getOptionKey={({ user_id }) => user_id}
        isOptionEqualToValue={(a, b) => a.user_id === b.user_id}
        renderInput={(params) => <TextField {...params} label={text('chat.writtenBy')} />}
      />
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
        {day('from')}
        {day('to')}
      </Box>
    </Box>
  )
}

/** The messages that the filters leave, page by page. */
function useFound(room: Room, filters: Filters) {
  const chat = useChat()
  const q = useDebounced(filters.q.trim(), DEBOUNCE_MS)
  const search = {
    q,
    roomId: filters.isHere ? room.id : undefined,
    userId: filters.person?.user_id,
    from: startOf(filters.from),
    to: endOf(filters.to),
  }
  const query = useInfiniteQuery({
    queryKey: ['chat', 'search', search],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const page = await chat.provider.search({ ...search, ...(cursor && { cursor }), signal })
      chat.learn(page.people)
      await Promise.all(
        [...new Set(page.messages.map(({ roomId }) => roomId))].map((id) => chat.loadRoom(id)),
      )
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const found = q === '' ? [] : (query.data?.pages.flatMap(({ messages }) => messages) ?? [])
  return { ...query, found, isAsked: q !== '' }
}

interface FoundListProps {
  found: readonly Message[]
  onFollow: (message: Message) => void
  more: (() => void) | undefined
  isFetching: boolean
}
function FoundList({ found, onFollow, more, isFetching }: FoundListProps) {
  const text = useText()
  if (found.length === 0)
    return isFetching ? <ListSkeleton phone /> : <EmptyState text={text('chat.nothingFound')} />
  return (
    <>
      {found.map((message) => (
        <Found key={message.id} message={message} onFollow={() => onFollow(message)} />
      ))}
      {more && (
        <Button size="small" loading={isFetching} onClick={more} sx={{ m: 1 }}>
          {text('chat.loadMore')}
        </Button>
      )}
    </>
  )
}

interface Props {
  room: Room
  onClose: () => void
  onJump: (sequence: number) => void
}

/** Finds messages and files by their words, with people, room and time as filters. */
export function SearchPanel({ room, onClose, onJump }: Props) {
  const text = useText()
  const navigate = useNavigate()
  const [filters, setFilters] = useState<Filters>({ q: '', isHere: true, person: null, from: '', to: '' })
  const { found, isAsked, error, isFetching, refetch, hasNextPage, fetchNextPage } = useFound(room, filters)
  const follow = ({ id, roomId, sequence }: Message) =>
    roomId === room.id ? onJump(sequence) : void navigate(`/chat/${roomId}?message=${id}`)
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          minHeight: 56,
          pl: 1.5,
          pr: 0.5,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Typography variant="h3" component="h2" sx={{ flex: 1 }}>
          {text('chat.search')}
        </Typography>
        <IconButton aria-label={text('kit.close')} onClick={onClose} sx={{ width: 44, height: 44 }}>
          <CloseRounded />
        </IconButton>
      </Box>
      <SearchFields room={room} filters={filters} onChange={setFilters} />
      <Box role="status" aria-busy={isFetching} sx={{ flex: 1 }}>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {isAsked && !error && (
          <FoundList
            found={found}
            onFollow={follow}
            more={hasNextPage ? () => void fetchNextPage() : undefined}
            isFetching={isFetching}
          />
        )}
      </Box>
    </Box>
  )
}
