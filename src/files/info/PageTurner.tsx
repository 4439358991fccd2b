import { Pager } from '#src/kit/list/Pager.tsx'

import { ROWS_PER_PAGE } from './queries.ts'

interface Props {
  page: number
  total: number
  onTurn: (page: number) => void
}

/** Paging for a list in a panel or dialog; nothing for a single page. */
export function PageTurner({ page, total, onTurn }: Props) {
  if (total <= ROWS_PER_PAGE) return null
  return <Pager page={page} perPage={ROWS_PER_PAGE} total={total} setPage={onTurn} phone />
}
