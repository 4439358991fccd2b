import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ListItemButton from '@mui/material/ListItemButton'
import Paper from '@mui/material/Paper'
import { useGetOne, useListContext, useLocaleState } from 'react-admin'
import type { To } from 'react-router-dom'
import { Link } from 'react-router-dom'

import { EmptyState } from '../feedback/EmptyState.tsx'
import { shortTime } from '../time/formats.ts'
import { ListButtons } from './ListButtons.tsx'
import { ListSkeleton } from '../list/ListSkeleton.tsx'
import { ListPager } from './ListPager.tsx'
import { type AnySideList, type Listed, metaOf } from './resource.ts'
import { ListSearch } from './ListSearch.tsx'
import type { RecordPlace } from './useRecordAddress.ts'
import { useText } from '../useText.ts'

const TWO_LINES = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
  overflow: 'hidden',
  overflowWrap: 'anywhere',
} as const

interface Props {
  definition: AnySideList
  /** The record or form beside the list. */
  place: RecordPlace | undefined
  to: (row: Listed) => To
  /** Absent when this person cannot create. */
  onCreate: (() => void) | undefined
}

/** The open record where it stands on another page of the list: one that was just added may stand on any. */
function useElsewhere(definition: AnySideList, place: RecordPlace | undefined): Listed | undefined {
  const { data: rows, filterValues, isPlaceholderData } = useListContext<Listed>()
  const id = place?.id
  const isElsewhere =
    id !== undefined &&
    rows !== undefined &&
    rows.length > 0 &&
    Object.keys(filterValues).length === 0 &&
    !isPlaceholderData &&
    rows.every((row) => row.id !== id)
  // The record beside the list has requested it.
  const { data, isError } = useGetOne<Listed>(
    definition.name,
    { id: id ?? '', meta: place?.way === 'show' ? metaOf(definition) : undefined },
    { enabled: false },
  )
  return isElsewhere && !isError ? data : undefined
}

/** The records by name, with a search above them; first the open one where it is not among them. */
export function SideList({ definition, place, to, onCreate }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { data, isPlaceholderData, setFilters } = useListContext<Listed>()
  const elsewhere = useElsewhere(definition, place)
  const rows = elsewhere && data ? [elsewhere, ...data] : data
  const time = (timestamp: string) => shortTime(locale, Date.parse(timestamp))
  const title = text(definition.title)
  return (
    <Paper variant="outlined" sx={{ display: 'flex', flexDirection: 'column', maxHeight: 'inherit' }}>
      <Box sx={{ display: 'grid', gap: 1.5, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
        <Box sx={{ display: 'flex', alignItems: 'center' }}>
          <Box sx={{ flex: 1, mr: 0.5 }}>
            {definition.search && <ListSearch label={text(definition.search)} />}
          </Box>
          <ListButtons definition={definition} isEmpty={rows?.length === 0} />
        </Box>
        {onCreate && (
          <Button
            // The form beside it has the one filled button.
            variant={place && place.way !== 'show' ? 'outlined' : 'contained'}
            startIcon={<AddRounded />}
            onClick={onCreate}
          >
            {text(definition.create!.label)}
          </Button>
        )}
      </Box>
      {!rows && <ListSkeleton phone />}
      {rows?.length === 0 && (
        <EmptyState
          text={text('grid.noMatches')}
          action={
            <Button variant="outlined" onClick={() => setFilters({})}>
              {text('grid.clearFilters')}
            </Button>
          }
        />
      )}
      {rows && rows.length > 0 && (
        <Box
          component="ul"
          aria-label={title}
          aria-busy={isPlaceholderData}
          sx={{ m: 0, p: 0.75, listStyle: 'none', overflowY: 'auto', flex: 1, minHeight: 0 }}
        >
          {rows.map((row) => (
            <li key={row.id}>
              <ListItemButton
                component={Link}
                to={to(row)}
                state={{ opensHere: true }}
                selected={row.id === place?.id}
                aria-current={row.id === place?.id ? 'true' : undefined}
                sx={{ display: 'block', px: 1.25, py: 1 }}
              >
                <Box component="span" dir="auto" sx={{ ...TWO_LINES, fontWeight: 600 }}>
                  {definition.nameOf(row)}
                </Box>
                <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                  {definition.line(row, text, time)}
                </Box>
              </ListItemButton>
            </li>
          ))}
        </Box>
      )}
      {rows && rows.length > 0 && (
        <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
          <ListPager listing={definition} phone />
        </Box>
      )}
    </Paper>
  )
}
