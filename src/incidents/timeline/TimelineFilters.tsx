import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import type { TimelineKind } from '#contract/incident-timeline/schema.ts'
import { timeline as words } from '#providers/i18n/timeline.ts'
import { formatNumber } from '#src/kit/time/formats.ts'

import { KIND_ICONS } from './TimelineItem.tsx'
import { type TimelineFilter, useTimelineFilters } from './queries.ts'

interface Props {
  incidentId: string
  value: TimelineFilter
  onChange: (filter: TimelineFilter) => void
}

/** Chips of the kinds that occur, with their numbers, and the person. */
export function TimelineFilters({ incidentId, value, onChange }: Props) {
  const [locale] = useLocaleState()
  const labelId = useId()
  const { data } = useTimelineFilters(incidentId, value.person)
  const kinds = data?.kinds ?? []
  const toggle = (kind: TimelineKind) =>
    onChange({
      ...value,
      kinds: value.kinds.includes(kind) ? value.kinds.filter((one) => one !== kind) : [...value.kinds, kind],
    })
  const isFiltered = value.kinds.length > 0 || value.person !== null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', minHeight: 40 }}>
      <Box
        role="group"
        aria-label={words.filter}
        id={labelId}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: { xs: 1, sm: 0.75 }, flex: '1 1 320px' }}
      >
        {kinds.map(({ kind, count }) => {
          const isOn = value.kinds.includes(kind)
          const Icon = KIND_ICONS[kind]
          return (
            <Chip
              key={kind}
              clickable
              size="small"
              icon={<Icon />}
              variant={isOn ? 'filled' : 'outlined'}
              color={isOn ? 'primary' : 'default'}
              aria-pressed={isOn}
              label={`${words.kinds[kind]} ${formatNumber(locale, count)}`}
              onClick={() => toggle(kind)}
              sx={{ height: { xs: 36, sm: 28 }, fontVariantNumeric: 'tabular-nums' }}
            />
          )
        })}
      </Box>
      <TextField
        select
        size="small"
        label={words.person}
        value={value.person ?? ''}
        onChange={({ target }) => onChange({ ...value, person: target.value || null })}
        slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        sx={{ flex: { xs: '1 1 100%', sm: '0 1 220px' } }}
      >
        <MenuItem value="">{words.everybody}</MenuItem>
        {(data?.people ?? []).map(({ author, name, count }) => (
          <MenuItem key={author} value={author} sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
            {words.ofPerson(name, count)}
          </MenuItem>
        ))}
      </TextField>
      {isFiltered && (
        <Button size="small" onClick={() => onChange({ kinds: [], person: null })}>
          {words.all}
        </Button>
      )}
    </Box>
  )
}
