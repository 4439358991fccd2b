import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import PublicRounded from '@mui/icons-material/PublicRounded'
import { useNotify } from 'react-admin'
import { type Ref, useEffect, useEffectEvent, useState } from 'react'

import { MEMBERS_AT_ONCE, TOO_MANY_MEMBERS } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { usersApi } from '#contract/users/api.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { call } from '#providers/api.ts'
import { reportCaught } from '#providers/errorReporting.ts'
import { taggedName, useChat } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'
import { PersonOption } from '#src/users/PersonOption.tsx'

/** Lengths of a search, and its debounce in milliseconds (operations §5). */
const SEARCH_MIN = 2
const SEARCH_MAX = 255
const SEARCH_DELAY_MS = 300

/** People who match a text, without members of the room. */
function useFound(typed: string, roomId: string | undefined) {
  const chat = useChat()
  const text = useText()
  const notify = useNotify()
  const wanted = typed.trim().slice(0, SEARCH_MAX)
  const searchString = useDebounced(wanted, SEARCH_DELAY_MS)
  const enabled = searchString.length >= SEARCH_MIN
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['users', 'search', 'chat', { searchString, roomId }],
    queryFn: async ({ signal }) => {
      const { users } = await call(usersApi.search, { query: { searchString }, signal })
      chat.learn(users)
      if (roomId === undefined || users.length === 0) return users
      const userIds = users.map(({ uuid }) => uuid)
      const query = { userIds, first: 0, count: userIds.length, signal }
      const { items } = await chat.provider.members(roomId, query)
      const members = new Set(items.map(({ user_id }) => user_id))
      return users.filter(({ uuid }) => !members.has(uuid))
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
    enabled,
  })
  const fail = useEffectEvent((problem: unknown) => {
    void reportCaught(problem)
    notify(text('chatRooms.searchFailed'), { type: 'error' })
  })
  useEffect(() => {
    if (error) fail(error)
  }, [error])
  const isShort = wanted.length < SEARCH_MIN
  return {
    found: isShort || !enabled || error ? NOBODY : (data ?? NOBODY),
    isShort,
    isSearching: !isShort && (searchString !== wanted || isFetching || isPlaceholderData),
  }
}
const NOBODY: readonly NamedPerson[] = []

const Option = ({ person }: { person: NamedPerson }) => {
  const text = useText()
  return (
    <Box sx={{ flex: 1, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minWidth: 0 }}>
      <PersonOption email={person.email} person={person} />
      {person.type === 'EXTERNAL' && <StatusChip icon={PublicRounded} label={text('chatRooms.external')} />}
    </Box>
  )
}

interface Props {
  label: string
  /** Hides the label under a heading that says the same. */
  isLabelHidden?: boolean
  value: readonly NamedPerson[]
  onChange: (people: readonly NamedPerson[]) => void
  /** Excludes the members of this room. */
  roomId?: string
  help?: string
  /** Error message about the choice. */
  problem?: string | undefined
  disabled?: boolean
  autoFocus?: boolean
  inputRef?: Ref<HTMLInputElement>
  onBlur?: () => void
}

/** Chooses people by part of their name, department or address. */
export function UserPicker({ label, value, onChange, roomId, help, problem, disabled, ...input }: Props) {
  const text = useText()
  const { uuid: me } = useSession()
  const [typed, setTyped] = useState('')
  const { found, isShort, isSearching } = useFound(typed, roomId)
  const chosen = new Set(value.map(({ uuid }) => uuid))
  const options = found.filter(({ uuid }) => uuid !== me && !chosen.has(uuid))
  const excess = value.length > MEMBERS_AT_ONCE ? TOO_MANY_MEMBERS : undefined
  const wrong = excess ?? problem
  return (
    <Autocomplete
      multiple
      value={value as NamedPerson[]}
      onChange={(_, people) => onChange(people)}
      inputValue={typed}
      onInputChange={(_, words, reason) => {
        if (reason !== 'reset') setTyped(words)
      }}
      options={options}
      // The server has filtered already.
      filterOptions={(all) => all}
      isOptionEqualToValue={(one, other) => one.uuid === other.uuid}
      getOptionLabel={fullName}
      getOptionKey={({ uuid }) => uuid}
      renderOption={({ key, ...props }, person) => (
        <li key={key} {...props}>
          <Option person={person} />
        </li>
      )}
      renderValue={(people, getItemProps) =>
        people.map((person, index) => {
          const { key, ...item } = getItemProps({ index })
          return <Chip key={key} size="small" label={<bdi>{taggedName(person)}</bdi>} {...item} />
        })
      }
      loading={isSearching}
      loadingText={text('people.searching')}
      noOptionsText={text(isShort ? 'chatRooms.findMore' : 'chatRooms.nobody')}
      clearText={text('chatRooms.clear')}
      openText={text('people.openList')}
      closeText={text('people.closeList')}
      forcePopupIcon={false}
      autoHighlight
      disabled={disabled ?? false}
      size="small"
      renderInput={(params) => (
        <TextField
          {...params}
          {...(!input.isLabelHidden && { label })}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, ...(input.isLabelHidden && { 'aria-label': label }) },
          }}
          inputRef={input.inputRef}
          onBlur={input.onBlur}
          // Enter picks an option and never submits the form.
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault()
          }}
          autoFocus={input.autoFocus ?? false}
          placeholder={value.length === 0 ? text('chatRooms.find') : ''}
          error={wrong !== undefined}
          helperText={wrong ?? help}
        />
      )}
      sx={{
        '& .MuiOutlinedInput-root': { maxHeight: 200, overflowY: 'auto' },
        '& .MuiChip-root': { maxWidth: '100%' },
      }}
    />
  )
}
