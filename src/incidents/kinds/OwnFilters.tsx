import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'

import { ownFields as words } from '#providers/i18n/own-fields.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import type { FeedFilter } from '../incidentFeed.ts'
import { useDefinitions } from './queries.ts'

interface SelectProps {
  label: string
  any: string
  value: string
  choices: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}
function Filter({ label, any, value, choices, onChange }: SelectProps) {
  return (
    <TextField
      select
      value={choices.some(([one]) => one === value) ? value : ''}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ select: { displayEmpty: true, SelectDisplayProps: { 'aria-label': label } } }}
    >
      <MenuItem value="">{any}</MenuItem>
      {choices.map(([one, name]) => (
        <MenuItem key={one} value={one} sx={{ whiteSpace: 'normal' }}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

interface Props {
  filter: Pick<FeedFilter, 'kindId' | 'fieldValues'>
  onChange: (changes: Readonly<Record<string, string>>) => void
}

/** Filters of the feed by what the organisation defines: kinds, and fields with choices or a person. */
export function OwnFilters({ filter: { kindId = '', fieldValues = {} }, onChange }: Props) {
  const { data } = useDefinitions()
  const kinds = data?.kinds ?? []
  const fields = (data?.fields ?? []).filter(
    ({ type, isRetired }) => !isRetired && (type === 'CHOICE' || type === 'PERSON'),
  )
  if (kinds.length + fields.length === 0) return null
  const set = (id: string, value: string) => {
    const values = { ...fieldValues, [id]: value }
    const kept = Object.fromEntries(Object.entries(values).filter((one) => one[1] !== ''))
    onChange({ own: Object.keys(kept).length === 0 ? '' : JSON.stringify(kept) })
  }
  return (
    <Box
      role="group"
      aria-label={words.filters}
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' } }}
    >
      {kinds.length > 0 && (
        <Filter
          label={words.kind}
          any={words.anyKind}
          value={kindId}
          choices={kinds.map(({ id, name }) => [id, name])}
          onChange={(id) => onChange({ of: id })}
        />
      )}
      {fields.map(({ id, label, type, choices }) =>
        type === 'PERSON' ? (
          <PersonPicker
            key={id}
            label={label}
            value={fieldValues[id] ?? null}
            onChange={(email) => set(id, email ?? '')}
            nobody={words.person}
            clearLabel={`Clear ${label}`}
          />
        ) : (
          <Filter
            key={id}
            label={label}
            any={words.any(label)}
            value={fieldValues[id] ?? ''}
            choices={choices.map((one) => [one, one])}
            onChange={(value) => set(id, value)}
          />
        ),
      )}
    </Box>
  )
}
