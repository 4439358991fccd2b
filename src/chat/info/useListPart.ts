import { useState } from 'react'

import { ROWS_PER_PAGE } from './queries.ts'

const SIZES = [ROWS_PER_PAGE, 100] as const
const FIRST = { q: '', page: 1, size: ROWS_PER_PAGE as number }

/** The shown part of a dialog's list. A search starts at its first page. */
export function useListPart() {
  const [part, setPart] = useState(FIRST)
  return {
    part,
    sizes: SIZES,
    search: (q: string) => setPart({ ...part, q, page: 1 }),
    turn: (patch: { page?: number; size?: number }) => setPart({ ...part, page: 1, ...patch }),
  }
}
export type DialogList = ReturnType<typeof useListPart>
