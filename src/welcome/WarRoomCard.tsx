import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'

import { INVALID_WAR_ROOMS } from '#contract/welcome/schema.ts'
import { welcome } from '#providers/i18n/welcome.ts'

import { peopleOf, type Room } from './draftValues.ts'

const texts = welcome.rooms
/** People listed at once. */
const SHOWN = 50

interface Props {
  number: number
  room: Room
  /** Names by address. */
  people: ReadonlyMap<string, string>
  problem: string | undefined
  /** True if it lacks a title or people, once checked. */
  isIncomplete: boolean
  canBeGroup: boolean
  isLocked: boolean
  onChange: (room: Room) => void
  onRemove: () => void
}

export function WarRoomCard(props: Props) {
  const { number, room, people, problem, isIncomplete, canBeGroup, isLocked, onChange, onRemove } = props
  const lacksTitle = isIncomplete && room.label.trim() === ''
  const lacksPeople = isIncomplete && peopleOf(room).length === 0
  const picker = {
    disabled: isLocked,
    options: [...people.keys()],
    noOptionsText: texts.nobody,
    filterOptions: createFilterOptions<string>({
      limit: SHOWN,
      stringify: (one) => `${people.get(one)} ${one}`,
    }),
    getOptionLabel: (email: string) => people.get(email) ?? email,
    renderOption: (option: object, email: string) => (
      <Box component="li" {...option} key={email} sx={{ display: 'block !important' }}>
        <div dir="auto">{people.get(email)}</div>
        <Box sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>{email}</Box>
      </Box>
    ),
  }
  return (
    <Box
      role="group"
      aria-label={room.label || texts.label(number)}
      sx={{ display: 'grid', gap: 2, p: 2, border: 1, borderColor: 'divider', borderRadius: '8px' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <TextField
          label={texts.title}
          value={room.label}
          disabled={isLocked}
          required
          autoFocus={room.isCustom && room.label === ''}
          error={lacksTitle || problem !== undefined}
          helperText={lacksTitle ? INVALID_WAR_ROOMS : problem}
          onChange={({ target }) => onChange({ ...room, label: target.value })}
          slotProps={{ htmlInput: { maxLength: 255, dir: 'auto' } }}
          sx={{ flex: 1 }}
        />
        {!isLocked && (
          <IconButton aria-label={texts.remove(room.label || texts.label(number))} onClick={onRemove}>
            <DeleteRounded />
          </IconButton>
        )}
      </Box>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { sm: '1fr 2fr' } }}>
        <Autocomplete
          {...picker}
          value={room.admin}
          onChange={(_, admin) => onChange({ ...room, admin })}
          renderInput={(params) => (
            <TextField
              {...params}
              label={texts.admin}
              error={lacksPeople}
              helperText={lacksPeople ? INVALID_WAR_ROOMS : texts.adminHelp}
            />
          )}
        />
        <Autocomplete
          {...picker}
          multiple
          disableCloseOnSelect
          limitTags={10}
          value={[...room.members]}
          onChange={(_, members) => onChange({ ...room, members })}
          renderInput={(params) => (
            <TextField {...params} label={texts.members} helperText={texts.membersHelp} />
          )}
        />
      </Box>
      {canBeGroup && (
        <div>
          <FormControlLabel
            label={texts.group}
            control={
              <Checkbox
                checked={room.isGroup}
                disabled={isLocked}
                onChange={(_, isGroup) => onChange({ ...room, isGroup })}
              />
            }
          />
          <FormHelperText sx={{ mt: -0.5, pl: 4 }}>{texts.groupHelp}</FormHelperText>
        </div>
      )}
    </Box>
  )
}
