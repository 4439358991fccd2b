import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SearchOffRounded from '@mui/icons-material/SearchOffRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'

import { type ListedIncident, SEARCH_MIN_LENGTH } from '#contract/incidents/schema.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useScrollBack } from '#src/kit/browser/useScrollBack.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { usePeople } from '#providers/people.ts'

import { FeedFilters, useFeedFilter } from './FeedFilters.tsx'
import { CreateIncidentButton } from './CreateIncidentButton.tsx'
import { IncidentCard } from './IncidentCard.tsx'
import { LongList } from '../feed/LongList.tsx'
import { useIncidentFeed } from '../queries.ts'

const OwnFilters = lazy(async () => ({ default: (await import('../kinds/OwnFilters.tsx')).OwnFilters }))

/** Distance from the window at which the next page is requested. */
const NEAR = '600px'
const CARD_HEIGHT = 154
const SEARCH = 'search'
const keyOf = ({ id }: ListedIncident) => id

function Skeletons({ count }: { count: number }) {
  const text = useText()
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: '12px' }}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} variant="rounded" height={CARD_HEIGHT} />
      ))}
    </Box>
  )
}

/** Calls back while its position is near the window. */
function Sentinel({ onNear }: { onNear: () => void }) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear()
      },
      { rootMargin: NEAR },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, onNear])
  return (
    <div ref={setElement}>
      <Skeletons count={1} />
    </div>
  )
}

function Nothing({ word, isFiltered, onClear }: Pick<FeedProps, 'word' | 'isFiltered' | 'onClear'>) {
  const text = useText()
  if (word === '' && !isFiltered)
    return <EmptyState icon={<CrisisAlertRounded />} text={text('incidents.empty')} />
  return (
    <EmptyState
      icon={<SearchOffRounded />}
      text={word === '' ? text('incidents.noMatch') : text('incidents.noResults', { word })}
      action={
        <Button variant="outlined" onClick={onClear}>
          {text(isFiltered ? 'incidents.clearFilters' : 'incidents.clearSearch')}
        </Button>
      }
    />
  )
}

type FeedQuery = ReturnType<typeof useIncidentFeed>

interface FeedProps {
  feed: FeedQuery
  /** The rendered pages, which lag behind the query's while rendering is deferred. */
  data: FeedQuery['data']
  word: string
  isFiltered: boolean
  onClear: () => void
}

/** The cards of the feed, or the reason for an empty one. */
function Cards({ feed, data, word, isFiltered, onClear }: FeedProps) {
  const text = useText()
  const { nameOf } = usePeople()
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage } =
    feed
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [isFetchingNextPage, fetchNextPage])
  // De-duplicates: an incident created meanwhile moves others to the next page.
  const incidents = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.data) ?? []
    return [...new Map(all.map((incident) => [incident.id, incident])).values()]
  }, [data])
  if (!data && error) return <ErrorState error={error} onRetry={() => void feed.refetch()} />
  if (!data) return <Skeletons count={6} />
  if (incidents.length === 0) return <Nothing word={word} isFiltered={isFiltered} onClear={onClear} />
  return (
    <Box
      aria-busy={isPlaceholderData}
      sx={{ display: 'grid', gap: '12px', opacity: isPlaceholderData ? 0.6 : 1 }}
    >
      <LongList
        label={text('incidents.feed')}
        items={incidents}
        keyOf={keyOf}
        estimate={CARD_HEIGHT}
        gap={12}
      >
        {(incident) => <IncidentCard incident={incident} author={nameOf(incident.createdBy)} />}
      </LongList>
      {isFetchNextPageError && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && !isFetchNextPageError && !isPlaceholderData && <Sentinel onNear={more} />}
      {!hasNextPage && (
        <Typography color="textSecondary" sx={{ textAlign: 'center', py: 2 }}>
          {text('incidents.end')}
        </Typography>
      )}
    </Box>
  )
}

/** The incident feed (operations §2): active incidents first, then the newest; search, filters and infinite scrolling. */
export function IncidentFeedPage() {
  const text = useText()
  const isExternal = useSession().user?.type === 'EXTERNAL'
  const [params] = useSearchParams()
  const [typed, setTyped] = useState(params.get(SEARCH) ?? '')
  const word = typed.length >= SEARCH_MIN_LENGTH ? typed : ''
  const { filter, change, isFiltered } = useFeedFilter()
  const search = (next: string) => {
    setTyped(next)
    change({ [SEARCH]: next.length >= SEARCH_MIN_LENGTH ? next : '' })
  }
  const clear = () => {
    setTyped('')
    change({ [SEARCH]: '', state: '', severity: '', kind: '', since: '', of: '', own: '' })
  }
  const countOf = ({ total, isTotalMinimum }: { total: number; isTotalMinimum?: boolean | undefined }) =>
    isTotalMinimum
      ? text('incidents.foundMore', { count: total - 1 })
      : text('incidents.found', { smart_count: total })
  const feed = useIncidentFeed({ ...filter, ...(word && { searchWord: word }) })
  // Deferred, so that rendering a page of cards does not block input.
  const data = useDeferredValue(feed.data)
  useScrollBack(data !== undefined)
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 1040, mx: 'auto', p: { xs: 2, md: 3 }, pb: 12 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
        <Box sx={{ flex: '1 1 auto', maxWidth: 480, minWidth: 0 }}>
          <SearchBox
            label={text('incidents.search', { count: SEARCH_MIN_LENGTH })}
            value={typed}
            onSearch={search}
          />
        </Box>
        {!isExternal && (
          <Button component={Link} to="/incidents/figures" color="inherit" sx={{ flex: 'none' }}>
            {text('incidents.figures')}
          </Button>
        )}
      </Box>
      <FeedFilters filter={filter} onChange={change} />
      <Suspense>
        <OwnFilters filter={filter} onChange={change} />
      </Suspense>
      <Box component="output" sx={visuallyHidden}>
        {(word !== '' || isFiltered) && data && !feed.isPlaceholderData
          ? countOf(data.pages[0] ?? { total: 0 })
          : ''}
      </Box>
      <Cards feed={feed} data={data} word={word} isFiltered={isFiltered} onClear={clear} />
      <CreateIncidentButton />
    </Box>
  )
}
