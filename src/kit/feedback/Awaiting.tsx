import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

import { ErrorState } from './ErrorState.tsx'
import { useText } from '../useText.ts'

/** Query state as in TanStack Query. */
export interface Awaited {
  readonly data: unknown
  readonly error: unknown
  readonly refetch: () => Promise<unknown>
}

export const isAwaiting = (queries: readonly Awaited[]): boolean =>
  queries.some(({ data }) => data === undefined)

interface Props {
  readonly queries: readonly Awaited[]
  readonly height?: number
}

/** Placeholder until queries succeed: a skeleton, or the error with a retry button. */
export function Awaiting({ queries, height = 160 }: Props) {
  const text = useText()
  const failed = queries.filter(({ data, error }) => data === undefined && error)
  if (failed.length > 0) {
    const retry = () => {
      for (const { refetch } of failed) void refetch()
    }
    return <ErrorState error={failed[0]!.error} onRetry={retry} />
  }
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block' }}>
      <Skeleton variant="rounded" height={height} />
    </Box>
  )
}
