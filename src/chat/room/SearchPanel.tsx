import CloseRounded from '@mui/icons-material/CloseRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Message, Room } from '#contract/chat/schema.ts'
import { usersApi } from '#contract/users/api.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { call } from '#providers/api.ts'
import { taggedName, useChat } from '#providers/chat/useChat.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { isDate } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { FoundMessage } from '../message/FoundMessage.tsx'
import { NAMES_IN_LIST, titleOf } from '../titleValues.ts'

const DEBOUNCE_MS = 500
/** Number of options in a field. */
const OFFERED = 20
/** Characters from which the server searches for people. */
const NAME_MIN = 2
const startOf = (day: string): string | undefined =>
  isDate(day) ? new Date(`${day}T00:00:00`).toISOString() : undefined
const endOf = (day: string): string | undefined =>
  isDate(day) ? new Date(`${day}T23:59:59.999`).toISOString() : undefined

interface Filters {
  readonly q: string
  /** Null for all rooms. */
  readonly room: Room | null
  readonly person: NamedPerson | null
  readonly from: string
  readonly to: string
}

interface FieldProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** One of the caller's rooms; an empty field searches all of them. */
function RoomField({ filters, onChange }: FieldProps) {
  const text = useText()
  const chat = useChat()
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim(), DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: ['chat', 'search rooms', q],
    queryFn: ({ signal }) => chat.provider.rooms({ ...(q && { q }), first: 0, count: OFFERED, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Autocomplete
      size="small"
      options={[...(data?.items ?? [])]}
      value={filters.room}
      // The author may be no member of the other room.
      onChange={(_, room) => onChange({ ...filters, room, person: null })}
      onInputChange={(_, value, reason) => setTyped(reason === 'input' ? value : '')}
      filterOptions={(options) => options}
      getOptionLabel={(room) => titleOf(room, NAMES_IN_LIST)}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      renderInput={(params) => (
        <TextField
          {...params}
          label={text('chat.searchIn')}
          placeholder={text('chat.everywhere')}
          slotProps={{ ...params.slotProps, inputLabel: { ...params.slotProps.inputLabel, shrink: true } }}
        />
      )}
    />
  )
}

/** A member of the chosen room; for all rooms, anybody visible to the caller. */
function AuthorField({ filters, onChange }: FieldProps) {
  const text = useText()
  const chat = useChat()
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), DEBOUNCE_MS)
  const roomId = filters.room?.id
  const { data } = useQuery({
    queryKey: ['chat', 'authors', roomId ?? '', name],
    queryFn: async ({ signal }): Promise<readonly NamedPerson[]> => {
      if (roomId === undefined)
        return (await call(usersApi.search, { query: { searchString: name }, signal })).users
      const query = { ...(name && { q: name }), first: 0, count: OFFERED, signal }
      return (await chat.provider.members(roomId, query)).items
    },
    enabled: roomId !== undefined || name.length >= NAME_MIN,
  })
  return (
    <Autocomplete
      size="small"
      options={[...(data ?? [])]}
      value={filters.person}
      onChange={(_, person) => onChange({ ...filters, person })}
      onInputChange={(_, value, reason) => setTyped(reason === 'input' ? value : '')}
      filterOptions={(options) => options}
      getOptionLabel={taggedName}
      getOptionKey={({ uuid }) => uuid}
      isOptionEqualToValue={(a, b) => a.uuid === b.uuid}
      renderInput={(params) => <TextField {...params} label={text('chat.writtenBy')} />}
    />
  )
}

function SearchFields({ filters, onChange }: FieldProps) {
  const text = useText()
  const day = (source: 'from' | 'to') => (
    <MomentField
      isDay
      size="small"
      label={text(`chat.${source}`)}
      value={filters[source]}
      onChange={(date) => onChange({ ...filters, [source]: date })}
    />
  )
  return (
    <Box sx={{ display: 'grid', gap: 1.5, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <TextField
        // The panel is opened to type in it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        size="small"
        type="search"
        label={text('chat.searchFor')}
        value={filters.q}
        onChange={({ target }) => onChange({ ...filters, q: target.value })}
      />
      <RoomField filters={filters} onChange={onChange} />
      <AuthorField filters={filters} onChange={onChange} />
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
        {day('from')}
        {day('to')}
      </Box>
    </Box>
  )
}

/** Pages of messages that match the filters. */
function useFound(filters: Filters) {
  const chat = useChat()
  const q = useDebounced(filters.q.trim(), DEBOUNCE_MS)
  const search = {
    q,
    roomId: filters.room?.id,
    userId: filters.person?.uuid,
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
        <FoundMessage key={message.id} message={message} onFollow={() => onFollow(message)} />
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
  room: Room | null
  onClose: () => void
  onJump: (sequence: number, messageId: string) => void
}

/** Searches messages and files by words, people, room and time. */
export function SearchPanel({ room, onClose, onJump }: Props) {
  const text = useText()
  const navigate = useNavigate()
  const [filters, setFilters] = useState<Filters>({ q: '', room, person: null, from: '', to: '' })
  const { found, isAsked, error, isFetching, refetch, hasNextPage, fetchNextPage } = useFound(filters)
  const follow = ({ id, roomId, sequence }: Message) =>
    roomId === room?.id ? onJump(sequence, id) : void navigate(`/chat/${roomId}?message=${id}`)
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
      <SearchFields filters={filters} onChange={setFilters} />
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
