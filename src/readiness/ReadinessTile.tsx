import FactCheckRounded from '@mui/icons-material/FactCheckRounded'
import Skeleton from '@mui/material/Skeleton'

import { countToMend } from '#contract/readiness/rules.ts'
import { ActionTile } from '#src/kit/layout/ActionTile.tsx'
import { useText } from '#src/kit/useText.ts'

import { useBoard } from './queries.ts'

/** The number of things to mend, with the way to the board. */
export function ReadinessTile() {
  const text = useText()
  const { data, isError } = useBoard()
  if (!data) return isError ? null : <Skeleton variant="rounded" height={96} />
  const count = countToMend(data)
  return (
    <ActionTile
      icon={FactCheckRounded}
      name={text('readiness.tile')}
      line={count === 0 ? text('readiness.ready') : text('readiness.toMend', { smart_count: count })}
      to="/readiness"
    />
  )
}
