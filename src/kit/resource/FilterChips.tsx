import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { useQuery } from '@tanstack/react-query'
import { useListFilterContext, useLocaleState } from 'react-admin'
import { type ReactNode, Suspense, useRef, useState } from 'react'

import { lazy } from '../browser/lazy.ts'
import { shortTime } from '../time/formats.ts'
import type { ChoiceFilter, ListFilter, PeriodFilter } from './resource.ts'
import { CONTROL_RADIUS } from '../theme/theme.ts'
import { fieldsOf } from './listAddress.ts'
import { useText } from '../useText.ts'

const load = () => import('./FilterPopover.tsx')
const FilterPopover = lazy(async () => ({ default: (await load()).FilterPopover }))

type Values = Readonly<Record<string, string>>
/** The label of what was chosen; its choices are asked for only where there is something to name. */
function Chosen({ filter, value }: { filter: ChoiceFilter; value: string }) {
  // oxlint-disable-next-line react/hooks -- a chip is that of one filter
  const choices = filter.useChoices()
  const label = choices?.find((choice) => choice.value === value)?.label
  const { data: found } = useQuery({
    queryKey: ['filters', filter.label, 'label', value],
    queryFn: ({ signal }) => filter.labelOf!(value, signal),
    enabled: filter.labelOf !== undefined && label === undefined,
  })
  return label ?? found ?? '…'
}

function Period({ filter, values }: { filter: PeriodFilter; values: Values }) {
  const text = useText()
  const [locale] = useLocaleState()
  const [from, to] = [filter.from, filter.to].map((field) => {
    const at = Date.parse(values[field] ?? '')
    return Number.isNaN(at) ? undefined : shortTime(locale, at)
  })
  if (from && to) return `${from} – ${to}`
  return from ? text('grid.since', { from }) : text('grid.until', { to: to ?? '' })
}

interface ChipProps {
  name: string
  value: ReactNode
  isOpen: boolean
  onOpen: (chip: Element) => void
  onClear: () => void
}

/** Says what a list is narrowed by: pressed, it can be changed; its cross takes it away. */
function Chip({ name, value, isOpen, onOpen, onClear }: ChipProps) {
  const text = useText()
  const opener = useRef<HTMLButtonElement>(null)
  const on = value !== undefined
  return (
    <Box
      sx={(theme) => ({
        display: 'inline-flex',
        minWidth: 0,
        maxWidth: '100%',
        border: 1,
        borderColor: on ? 'primary.main' : 'divider',
        borderRadius: `${CONTROL_RADIUS}px`,
        color: on ? 'primary.main' : 'text.primary',
        ...(on && { bgcolor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 10%, transparent)` }),
        '& .MuiButtonBase-root': {
          minHeight: 30,
          fontFamily: 'inherit',
          fontSize: '0.8125rem',
          borderRadius: `${CONTROL_RADIUS}px`,
          '&:hover': { bgcolor: 'action.hover' },
        },
      })}
    >
      <ButtonBase
        ref={opener}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onClick={(event) => onOpen(event.currentTarget)}
        sx={{ pl: 1.25, pr: on ? 0.75 : 0.25, minWidth: 0 }}
      >
        <Box component="span" sx={{ flex: 'none' }}>
          {on ? `${name}:` : name}
        </Box>
        {on && (
          <Box
            component="span"
            dir="auto"
            sx={{
              ml: 0.5,
              fontWeight: 600,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {value}
          </Box>
        )}
        {!on && <ArrowDropDownRounded fontSize="small" sx={{ color: 'text.secondary' }} />}
      </ButtonBase>
      {on && (
        <ButtonBase
          aria-label={text('grid.clearFilter', { name })}
          onClick={() => {
            onClear()
            opener.current?.focus()
          }}
          sx={{ width: 28, flex: 'none' }}
        >
          <CloseRounded sx={{ fontSize: 16 }} />
        </ButtonBase>
      )}
    </Box>
  )
}

/** The filters of a list, in its toolbar. */
export function FilterChips({ filters }: { filters: readonly ListFilter[] }) {
  const text = useText()
  const { filterValues: values, setFilters } = useListFilterContext()
  const [open, setOpen] = useState<{ filter: ListFilter; chip: Element }>()
  const change = (filter: ListFilter, chosen: Values) =>
    setFilters({ ...values, ...Object.fromEntries(fieldsOf(filter).map((field) => [field, chosen[field]])) })
  const valueOf = (filter: ListFilter): ReactNode => {
    if (!fieldsOf(filter).some((field) => values[field])) return undefined
    return 'field' in filter ? (
      <Chosen filter={filter} value={values[filter.field]} />
    ) : (
      <Period filter={filter} values={values} />
    )
  }
  return (
    <>
      {filters.map((filter) => (
        <Chip
          key={fieldsOf(filter).join()}
          name={text(filter.label)}
          value={valueOf(filter)}
          isOpen={open?.filter === filter}
          onOpen={(chip) => setOpen({ filter, chip })}
          onClear={() => change(filter, {})}
        />
      ))}
      <Suspense>
        {open && (
          <FilterPopover
            {...open}
            values={values}
            onChoose={(chosen) => {
              setOpen(undefined)
              change(open.filter, chosen)
            }}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
