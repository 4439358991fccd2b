import CheckRounded from '@mui/icons-material/CheckRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ListItemText from '@mui/material/ListItemText'
import MenuItem from '@mui/material/MenuItem'
import MenuList from '@mui/material/MenuList'
import Popover from '@mui/material/Popover'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { serverNow } from '#providers/serverClock.ts'

import { hasEachWord } from '../browser/hasEachWord.ts'
import { useDebounced } from '../browser/useDebounced.ts'
import { MomentField } from '../form/MomentField.tsx'
import { isLocalTime, localTime, momentOf } from '../time/localTime.ts'
import type { ChoiceFilter, FilterChoice, ListFilter, PeriodFilter } from './resource.ts'
import { useText } from '../useText.ts'

type Values = Readonly<Record<string, string>>
interface Of<Filter> {
  filter: Filter
  values: Values
  /** Values of the filter's fields; none takes the filter away. */
  onChoose: (values: Values) => void
}

/** A list of this many choices gets a search box, and renders the first `SHOWN`. */
const MANY = 12
const SHOWN = 50
const WIDTH = 320
const NOTHING: readonly FilterChoice[] = []
const SEARCH_DELAY_MS = 150
const SEARCH_MAX = 255

/** Choices of a filter that the server finds by the typed text; the earlier ones while it searches. */
function useFound({ find, label }: ChoiceFilter, typed: string) {
  const wanted = typed.trim().slice(0, SEARCH_MAX)
  const text = useDebounced(wanted, SEARCH_DELAY_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['filters', label, 'found', text],
    queryFn: ({ signal }) => find!(text, signal),
    placeholderData: keepPreviousData,
    enabled: find !== undefined,
  })
  if (!find) return { found: NOTHING, isSearching: false }
  return { found: data, isSearching: isPlaceholderData || text !== wanted }
}

function Choices({ filter, values, onChoose }: Of<ChoiceFilter>) {
  const text = useText()
  // oxlint-disable-next-line react/hooks -- a popover is opened for one filter and closed again
  const choices = filter.useChoices()
  const [typed, setTyped] = useState('')
  const { found, isSearching } = useFound(filter, typed)
  const list = useRef<HTMLUListElement>(null)
  const value = values[filter.field]
  // As wide as the widest list: a popover is placed once, and what grows would leave a narrow screen.
  if (!choices || !found)
    return <Skeleton variant="rounded" height={160} sx={{ m: 2, width: WIDTH - 32, maxWidth: '100%' }} />
  const isLong = typed !== '' || choices.length + found.length > MANY
  const holds = ({ label, description = '' }: FilterChoice) => hasEachWord(`${label} ${description}`, typed)
  // Earlier choices stay only while they match.
  const shown = [...choices.filter(holds), ...(isSearching ? found.filter(holds) : found)].slice(0, SHOWN)
  const choose = (chosen: string | undefined) =>
    onChoose(chosen === undefined ? {} : { [filter.field]: chosen })
  return (
    <Box sx={{ width: isLong ? WIDTH : undefined, minWidth: 200, maxWidth: '100%' }}>
      {isLong && (
        <Box sx={{ p: 1.5, pb: 0.5 }}>
          <TextField
            fullWidth
            autoFocus
            size="small"
            value={typed}
            placeholder={text('grid.find')}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') {
                event.preventDefault()
                list.current?.querySelector<HTMLElement>('[role=menuitemradio]')?.focus()
              } else if (event.key === 'Enter' && typed !== '' && shown[0]) {
                // The same press would open the popover again on the chip, which has the focus then.
                event.preventDefault()
                choose(shown[0].value)
              }
            }}
            slotProps={{ htmlInput: { 'aria-label': text('grid.find'), autoComplete: 'off' } }}
          />
        </Box>
      )}
      <MenuList
        ref={list}
        dense
        autoFocusItem={!isLong}
        aria-label={text(filter.label)}
        sx={{ maxHeight: 'min(360px, 50vh)', overflowY: 'auto' }}
      >
        {typed === '' && (
          <MenuItem
            role="menuitemradio"
            aria-checked={value === undefined}
            selected={value === undefined}
            onClick={() => choose(undefined)}
          >
            {text('grid.all')}
          </MenuItem>
        )}
        {shown.map(({ value: one, label, description }) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={one === value}
            selected={one === value}
            onClick={() => choose(one)}
          >
            <ListItemText
              primary={label}
              secondary={description}
              slotProps={{ primary: { dir: 'auto', noWrap: true }, secondary: { noWrap: true } }}
            />
            {one === value && <CheckRounded fontSize="small" color="primary" sx={{ ml: 2 }} />}
          </MenuItem>
        ))}
      </MenuList>
      {shown.length === 0 && (
        <Box sx={{ px: 2, pb: 2, color: 'text.secondary' }}>
          {text(isSearching ? 'people.searching' : 'grid.nothingFound')}
        </Box>
      )}
    </Box>
  )
}

const DAY = 86_400_000
const SPANS = [
  { label: 'grid.lastDay', length: DAY },
  { label: 'grid.lastWeek', length: 7 * DAY },
  { label: 'grid.lastMonth', length: 30 * DAY },
] as const
function Period({ filter, values, onChoose }: Of<PeriodFilter>) {
  const text = useText()
  const [from, setFrom] = useState(() => localTime(values[filter.from]))
  const [to, setTo] = useState(() => localTime(values[filter.to]))
  const isUnread = [from, to].some((typed) => typed !== '' && !isLocalTime(typed))
  const isWrong = !isUnread && from !== '' && to !== '' && to <= from
  const choose = (begin: string | null, end: string | null) =>
    onChoose({ ...(begin && { [filter.from]: begin }), ...(end && { [filter.to]: end }) })
  return (
    <Box
      component="form"
      aria-label={text(filter.label)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong && !isUnread) choose(momentOf(from), momentOf(to))
      }}
      sx={{ display: 'grid', gap: 2, p: 2, width: 300, maxWidth: '100%' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {SPANS.map(({ label, length }) => (
          <Button
            key={label}
            size="small"
            variant="outlined"
            onClick={() => choose(new Date(serverNow() - length).toISOString(), null)}
          >
            {text(label)}
          </Button>
        ))}
      </Box>
      <MomentField label={text('grid.from')} value={from} onChange={setFrom} dayMeans="start" />
      <MomentField
        label={text('grid.to')}
        value={to}
        onChange={setTo}
        dayMeans="end"
        problem={isWrong ? text('grid.toBeforeFrom') : undefined}
      />
      <Button type="submit" variant="contained" disabled={isWrong || isUnread} sx={{ justifySelf: 'end' }}>
        {text('grid.apply')}
      </Button>
    </Box>
  )
}

interface Props extends Of<ListFilter> {
  chip: Element
  onClose: () => void
}

/** The choices of a filter, below its chip. */
export function FilterPopover({ filter, chip, onClose, ...props }: Props) {
  const text = useText()
  return (
    <Popover
      open
      anchorEl={chip}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': text(filter.label), sx: { mt: 0.5 } } }}
    >
      {'field' in filter ? <Choices filter={filter} {...props} /> : <Period filter={filter} {...props} />}
    </Popover>
  )
}
