import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import { type GroupReach, type Reach, REACHES } from '#contract/readiness/schema.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import type { PeopleFilter } from './queries.ts'
import { useGroups } from './queries.ts'

const COUNT_OF = { PROVED: 'proved', ADDRESSED: 'addressed', LACKING: 'lacking' } as const satisfies {
  [R in Reach]: keyof GroupReach
}
const COLOURS: { readonly [R in Reach]: string } = {
  PROVED: 'success.main',
  ADDRESSED: 'primary.main',
  LACKING: 'warning.main',
}
const ROW = {
  display: 'grid',
  gridTemplateColumns: { xs: 'repeat(3, minmax(0, 1fr))', sm: 'minmax(0, 1fr) 96px 152px 140px' },
  columnGap: 1,
  alignItems: { xs: 'start', sm: 'center' },
} as const

interface Props {
  days: number
  onOpen: (title: string, filter: PeopleFilter) => void
}

function GroupRow({ group, onOpen }: { group: GroupReach; onOpen: Props['onOpen'] }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { id, name, people } = group
  return (
    <Box role="row" sx={{ ...ROW, py: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box
        role="rowheader"
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, minWidth: 0, overflowWrap: 'anywhere' }}
      >
        <Box component="span" dir="auto" sx={{ fontWeight: 600 }}>
          {name}
        </Box>{' '}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {formatNumber(locale, people)}
        </Box>
        <Box aria-hidden sx={{ display: 'flex', gap: '2px', height: 6, mt: 0.5, maxWidth: 360 }}>
          {REACHES.map((reach) => {
            const count = group[COUNT_OF[reach]]
            return count === 0 ? null : (
              <Box
                key={reach}
                sx={{
                  flexGrow: count,
                  bgcolor: COLOURS[reach],
                  borderRadius: '2px',
                  forcedColorAdjust: 'none',
                }}
              />
            )
          })}
        </Box>
      </Box>
      {REACHES.map((reach) => {
        const count = group[COUNT_OF[reach]]
        const label = text(`readiness.reaches.${reach}`)
        const title = text('readiness.membersOf', { group: name, reach: label })
        return (
          <Box role="cell" key={reach}>
            <ButtonBase
              disabled={count === 0}
              onClick={() => onOpen(title, { groupId: id, reach })}
              aria-label={`${title}, ${formatNumber(locale, count)}`}
              sx={{
                display: 'block',
                width: '100%',
                minHeight: 44,
                px: 1,
                borderRadius: 1,
                font: 'inherit',
                textAlign: { xs: 'start', sm: 'end' },
                color: count === 0 ? 'text.secondary' : 'text.primary',
                '&:hover': { bgcolor: 'action.hover' },
              }}
            >
              <Box component="span" sx={{ fontWeight: count === 0 ? 400 : 600 }}>
                {formatNumber(locale, count)}
              </Box>
              <Box
                component="span"
                sx={{ display: { xs: 'block', sm: 'none' }, fontSize: '0.75rem', color: 'text.secondary' }}
              >
                {label}
              </Box>
            </ButtonBase>
          </Box>
        )
      })}
    </Box>
  )
}

/** The groups with the people who can be reached in each, those first with the most who cannot. */
export function GroupsCard({ days, onOpen }: Props) {
  const text = useText()
  const [q, setQ] = useState('')
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useGroups(q)
  return (
    <Card title={text('readiness.groups')} line={text('readiness.reachesHelp', { days })}>
      <Box sx={{ mb: 1, maxWidth: 400 }}>
        <SearchBox
          label={text('readiness.searchGroups')}
          value={q}
          onSearch={(typed) => setQ(typed.slice(0, 255))}
        />
      </Box>
      {!rows && !error && <ListSkeleton phone />}
      {!rows && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {rows?.length === 0 && <EmptyState text={text('readiness.noGroups')} />}
      {rows && rows.length > 0 && (
        <Box role="table" aria-label={text('readiness.groups')}>
          <Box
            role="row"
            sx={{
              ...ROW,
              display: { xs: 'none', sm: 'grid' },
              py: 0.5,
              color: 'text.secondary',
              fontWeight: 600,
            }}
          >
            <span role="columnheader">{text('readiness.group')}</span>
            {REACHES.map((reach) => (
              <Box role="columnheader" key={reach} sx={{ px: 1, textAlign: 'end' }}>
                {text(`readiness.reaches.${reach}`)}
              </Box>
            ))}
          </Box>
          {rows.map((group) => (
            <GroupRow key={group.id} group={group} onOpen={onOpen} />
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()} sx={{ mt: 1 }}>
          {text('readiness.showMore')}
        </Button>
      )}
    </Card>
  )
}
