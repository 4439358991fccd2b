import Skeleton from '@mui/material/Skeleton'
import { Suspense } from 'react'

import type { PlaybookContent } from '#contract/playbooks/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

const PlaybookDifference = lazy(async () => ({
  default: (await import('../PlaybookDifference.tsx')).PlaybookDifference,
}))

interface Props {
  before: PlaybookContent | undefined
  after: PlaybookContent | undefined
}

/** Differences between two versions, once both have loaded. */
export function Difference({ before, after }: Props) {
  const waiting = <Skeleton variant="rounded" height={120} />
  if (!before || !after) return waiting
  return (
    <Suspense fallback={waiting}>
      <PlaybookDifference before={before} after={after} />
    </Suspense>
  )
}
