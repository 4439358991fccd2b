import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import { incidentTimelineApi } from '#contract/incident-timeline/api.ts'
import type { TimelineRow } from '#contract/incident-timeline/schema.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { timeline as words } from '#providers/i18n/timeline.ts'
import { useCan } from '#providers/useCan.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { localDay } from '#src/kit/time/formats.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { EntryComposer } from './EntryComposer.tsx'
import { type TimelineFilter, useTimeline } from './queries.ts'
import { TimelineFilters } from './TimelineFilters.tsx'
import { TimelineItem } from './TimelineItem.tsx'

/** Rows by day, newest first. */
function daysOf(rows: readonly TimelineRow[]): { day: string; rows: TimelineRow[] }[] {
  const days: { day: string; rows: TimelineRow[] }[] = []
  for (const row of rows) {
    const day = new Date(row.happenedTimestamp).toDateString()
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(row)
    else days.push({ day, rows: [row] })
  }
  return days
}

function Days({ rows }: { rows: readonly TimelineRow[] }) {
  const [locale] = useLocaleState()
  return daysOf(rows).map(({ day, rows: ofDay }) => (
    <Box key={`${day} ${ofDay[0]!.id}`} component="section">
      <Box
        component="h4"
        sx={{
          m: 0,
          py: 0.75,
          fontSize: '0.8125rem',
          fontWeight: 600,
          color: 'text.secondary',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        {localDay(locale, Date.parse(ofDay[0]!.happenedTimestamp))}
      </Box>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {ofDay.map((row) => (
          <TimelineItem key={row.id} row={row} />
        ))}
      </Box>
    </Box>
  ))
}

const Waiting = () => (
  <Box aria-hidden sx={{ display: 'grid', gap: 1.5 }}>
    {Array.from({ length: 6 }, (_, n) => (
      <Skeleton key={n} variant="rounded" height={48} />
    ))}
  </Box>
)

/** Everything that happened in an incident, with entries by hand. */
export function Timeline({ incident: { id } }: { incident: Incident }) {
  const can = useCan()
  const [filter, setFilter] = useState<TimelineFilter>({ kinds: [], person: null })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useTimeline(id, filter)
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Card heading="h3" title={words.title} quiet>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {can(incidentTimelineApi.add.access) && <EntryComposer incidentId={id} />}
        <TimelineFilters incidentId={id} value={filter} onChange={setFilter} />
        {data === undefined ? (
          error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <Waiting />
          )
        ) : rows.length === 0 ? (
          <EmptyState text={words.empty} />
        ) : (
          <Box
            role="region"
            aria-label={words.list}
            aria-busy={isPlaceholderData}
            sx={{ display: 'grid', gap: 1.5, opacity: isPlaceholderData ? 0.6 : 1 }}
          >
            <Days rows={rows} />
          </Box>
        )}
        {hasNextPage && (
          <Button
            variant="outlined"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
            sx={{ justifySelf: 'center', minHeight: { xs: 44, sm: 36 } }}
          >
            {words.more}
          </Button>
        )}
      </Box>
    </Card>
  )
}
