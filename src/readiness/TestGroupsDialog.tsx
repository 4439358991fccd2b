import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'

import type { CommunicationTest } from '#contract/readiness/schema.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { useTestGroups } from './queries.ts'
import { Answered, useDuration } from './TestsCard.tsx'

/** The answers to a test by group. */
export function TestGroupsDialog({ test, onClose }: { test: CommunicationTest; onClose: () => void }) {
  const text = useText()
  const [locale] = useLocaleState()
  const duration = useDuration()
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTestGroups(test.id)
  const title = text('readiness.byGroupTitle', { date: exactTime(locale, Date.parse(test.createTimestamp)) })
  return (
    <DialogFrame
      title={title}
      maxWidth="sm"
      isText
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
    >
      {!rows && !error && <ListSkeleton phone />}
      {!rows && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {rows?.length === 0 && <EmptyState text={text('readiness.byGroupEmpty')} />}
      {rows && rows.length > 0 && (
        <Box
          component="ul"
          aria-label={title}
          sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
        >
          {rows.map(({ id, name, asked, answered, medianSeconds }) => (
            <Box
              key={id}
              component="li"
              sx={{
                display: 'grid',
                gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 4fr) minmax(0, 4fr) 64px' },
                columnGap: 2,
                alignItems: 'center',
                py: 1,
              }}
            >
              <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
                {name}
              </Box>
              <Box sx={{ gridRow: { xs: '2', sm: 'auto' }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>
                <Answered answered={answered} asked={asked} />
              </Box>
              <Box sx={{ textAlign: 'end' }}>{medianSeconds === null ? '–' : duration(medianSeconds)}</Box>
            </Box>
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()} sx={{ mt: 1 }}>
          {text('readiness.showMore')}
        </Button>
      )}
    </DialogFrame>
  )
}
