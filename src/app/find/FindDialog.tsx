import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { messageOf } from '#providers/problem.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { inGroups, LIST_OF_GROUPS } from '#src/kit/form/optionGroup.tsx'
import type { FinderScope } from '#src/kit/layout/shellDialogs.ts'
import { useText } from '#src/kit/useText.ts'

import { type Found, useFound } from './sources.tsx'

const DEBOUNCE_MS = 200
const LONGEST = 255

function Row({ row: { label, detail, icon, isUnread } }: { row: Found }) {
  const text = useText()
  return (
    <>
      <Box component="span" sx={{ display: 'flex', color: 'text.secondary', '& svg': { fontSize: 20 } }}>
        {icon}
      </Box>
      <Box component="span" sx={{ flex: 1, minWidth: 0, lineHeight: 1.3 }}>
        <Box
          component="span"
          dir="auto"
          sx={{ display: 'block', overflowWrap: 'anywhere', fontWeight: isUnread ? 600 : 400 }}
        >
          {label}
        </Box>
        {detail && (
          <Box
            component="span"
            dir="auto"
            sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary', overflowWrap: 'anywhere' }}
          >
            {detail}
          </Box>
        )}
      </Box>
      {isUnread && (
        <Box component="span" sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
          {text('find.unread')}
        </Box>
      )}
    </>
  )
}

/** Finds rooms, people, incidents, playbooks, files, pages and acts by a part of their name, or rooms alone. */
export function FindDialog({ scope, onClose }: { scope: FinderScope; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim().slice(0, LONGEST), DEBOUNCE_MS)
  const { rows, isSearching, failed } = useFound(q, scope)
  const label = text(scope === 'rooms' ? 'chat.find' : 'find.title')
  const go = async (row: Found | null) => {
    if (!row) return
    onClose()
    if (typeof row.to === 'string') return navigate(row.to)
    try {
      const to = await row.to()
      if (to !== undefined) await navigate(to)
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      // MUI's dialog does not pass its label on.
      slotProps={{ paper: { 'aria-label': label, sx: { alignSelf: 'flex-start', mt: { sm: '10vh' } } } }}
    >
      <Box sx={{ p: 2 }}>
        <Autocomplete<Found>
          open
          autoHighlight
          disablePortal
          forcePopupIcon={false}
          options={rows}
          loading={isSearching}
          loadingText={text('kit.loading')}
          noOptionsText={text(scope === 'rooms' ? 'chat.noChannels' : 'find.nothing')}
          value={null}
          onClose={(_, reason) => reason === 'escape' && onClose()}
          onChange={(_, row) => void go(row)}
          onInputChange={(_, value) => setTyped(value)}
          filterOptions={(options) => options}
          getOptionLabel={(row) => row.label}
          getOptionKey={({ kind, key }) => `${kind} ${key}`}
          {...(scope === 'all' && {
            groupBy: ({ kind }: Found) => text(`find.kinds.${kind}`),
            ...inGroups,
          })}
          slotProps={{
            popper: {
              sx: { position: 'static !important', transform: 'none !important', width: '100% !important' },
            },
            paper: { elevation: 0 },
            listbox: { ...LIST_OF_GROUPS, sx: { maxHeight: 'min(60vh, 520px)' } },
          }}
          renderOption={({ key, ...props }, row) => (
            <Box component="li" key={key} {...props} sx={{ display: 'flex', gap: 1.5 }}>
              <Row row={row} />
            </Box>
          )}
          renderInput={(params) => (
            <TextField
              {...params}
              // The dialog is opened to type in it.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              label={label}
              helperText={
                failed.length > 0 &&
                text('find.failed', { kinds: failed.map((kind) => text(`find.kinds.${kind}`)).join(', ') })
              }
            />
          )}
        />
      </Box>
    </Dialog>
  )
}
