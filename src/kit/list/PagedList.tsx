import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import type { SxProps, Theme } from '@mui/material/styles'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'

import { ErrorState } from '../feedback/ErrorState.tsx'
import { visuallyHidden } from '../layout/visuallyHidden.ts'
import { useText } from '../useText.ts'

interface Page<Row> {
  readonly data: readonly Row[]
  readonly total: number
}
interface Props<Row> {
  query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  label: string
  /** Says how many there are, to screen readers. */
  found: (total: number) => string
  /** Name of the button that loads the next page. */
  more: string
  /** Shown in place of an empty list. */
  nothing: ReactNode
  sx?: SxProps<Theme>
  children: (row: Row) => ReactNode
}

/** A list that loads page by page. A row that moved to a later page meanwhile stands in it once. */
export function PagedList<Row extends { readonly id: string }>({
  query,
  label,
  found,
  more,
  nothing,
  sx,
  children,
}: Props<Row>) {
  const text = useText()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = query
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 1 }}>
        {Array.from({ length: 4 }, (_, n) => (
          <Skeleton key={n} variant="rounded" height={68} />
        ))}
      </Box>
    )
  const rows = [...new Map(data.pages.flatMap((page) => page.data).map((one) => [one.id, one])).values()]
  return (
    <>
      <Box component="output" sx={visuallyHidden}>
        {isPlaceholderData ? '' : found(data.pages.at(-1)!.total)}
      </Box>
      {rows.length === 0 ? (
        nothing
      ) : (
        <Box
          component="ol"
          aria-label={label}
          sx={[
            { m: 0, p: 0, listStyle: 'none', opacity: isPlaceholderData ? 0.6 : 1 },
            ...(Array.isArray(sx) ? sx : [sx]),
          ]}
        >
          {rows.map((row) => (
            <Fragment key={row.id}>{children(row)}</Fragment>
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button
          color="inherit"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          sx={{ justifySelf: 'center' }}
        >
          {more}
        </Button>
      )}
    </>
  )
}
