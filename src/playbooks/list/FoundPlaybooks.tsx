import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import { BY_NAME, type PlaybookFilter, type PlaybookSort, usePlaybookList } from '../queries.ts'
import { PlaybookRows } from './PlaybookRows.tsx'

interface Props {
  filter: PlaybookFilter
  categories: readonly PlaybookCategory[]
  openId: string | undefined
  sort?: PlaybookSort
}

/** Search results of all categories. */
export function FoundPlaybooks({ filter, categories, openId, sort = BY_NAME }: Props) {
  const text = useText()
  const list = usePlaybookList(filter, true, sort)
  const { rows, total, error } = list
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  if (!rows && error) return <ErrorState error={error} onRetry={() => void list.refetch()} />
  if (!rows) return <ListSkeleton phone />
  return (
    <Box aria-busy={list.isPlaceholderData}>
      <Typography role="status" variant="body2" sx={{ px: 1, py: 0.5, color: 'text.secondary' }}>
        {rows.length > 0
          ? text('playbooks.found', { smart_count: total ?? rows.length })
          : filter.q
            ? text('playbooks.noneFound', { word: filter.q })
            : text(filter.reviewDue ? 'playbooks.noneDue' : 'playbooks.noneSelected')}
      </Typography>
      <PlaybookRows
        label={text('playbooks.list')}
        rows={rows}
        openId={openId}
        categoryNameOf={({ categoryId }) => names.get(categoryId ?? '') ?? text('playbooks.uncategorized')}
        hasMore={list.hasNextPage}
        isLoadingMore={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </Box>
  )
}
