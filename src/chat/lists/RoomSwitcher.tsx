import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Room } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { useText } from '#src/kit/useText.ts'

import { RoomIcon } from './RoomIcon.tsx'
import { titleOf } from '../titleValues.ts'

const DEBOUNCE_MS = 200
const SHOWN = 20

/** Finds a room by its name or members; unread ones come first. */
export function RoomSwitcher({ onClose }: { onClose: () => void }) {
  const text = useText()
  const chat = useChat()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim(), DEBOUNCE_MS)
  const { data, isFetching } = useQuery({
    queryKey: ['chat', 'switcher', q],
    queryFn: async ({ signal }) => {
      const query = { ...(q && { q }), first: 0, count: SHOWN, signal }
      // Unread rooms may lie beyond the first page of all rooms.
      const [unread, all] = await Promise.all([
        chat.provider.rooms({ ...query, isUnread: true }),
        chat.provider.rooms(query),
      ])
      const ids = new Set(unread.items.map(({ id }) => id))
      return [...unread.items, ...all.items.filter(({ id }) => !ids.has(id))].slice(0, SHOWN)
    },
    placeholderData: keepPreviousData,
  })
  const go = (room: Room | null) => {
    if (!room) return
    onClose()
    void navigate(`/chat/${room.id}`)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      // MUI's dialog does not pass its label on.
      slotProps={{ paper: { 'aria-label': text('chat.find') } }}
    >
      <Box sx={{ p: 2 }}>
        <Autocomplete<Room>
          open
          autoHighlight
          disablePortal
          forcePopupIcon={false}
          options={data ?? []}
          loading={isFetching}
          loadingText={text('kit.loading')}
          noOptionsText={text('chat.noChannels')}
          value={null}
          onClose={(_, reason) => reason === 'escape' && onClose()}
          onChange={(_, room) => go(room)}
          onInputChange={(_, value) => setTyped(value)}
          filterOptions={(options) => options}
          getOptionLabel={(room) => titleOf(room)}
          getOptionKey={({ id }) => id}
          slotProps={{
            popper: {
              sx: { position: 'static !important', transform: 'none !important', width: '100% !important' },
            },
            paper: { elevation: 0 },
          }}
          renderOption={({ key, ...props }, room) => (
            <Box component="li" key={key} {...props} sx={{ display: 'flex', gap: 1 }}>
              <RoomIcon room={room} />
              <Box
                component="span"
                dir="auto"
                sx={{ flex: 1, fontWeight: room.membership.unread > 0 ? 600 : 400 }}
              >
                {titleOf(room)}
              </Box>
              {room.membership.unread > 0 && (
                <Box component="span" sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
                  {text('chat.unread', { smart_count: room.membership.unread })}
                </Box>
              )}
            </Box>
          )}
          // The dialog is opened to type in it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          renderInput={(params) => <TextField {...params} autoFocus label={text('chat.find')} />}
        />
      </Box>
    </Dialog>
  )
}
