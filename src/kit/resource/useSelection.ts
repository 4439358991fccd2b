import type { Identifier } from 'react-admin'
import { useCallback, useMemo, useState } from 'react'

import type { Listed } from './resource.ts'

const NONE: readonly Identifier[] = []

/** The selected records of the page that is shown. Turning the page, and a record that leaves the list, end their selection. */
export function useSelection(rows: readonly Listed[] | undefined) {
  const [ids, setIds] = useState(NONE)
  const chosen = useMemo(() => {
    const wanted = new Set(ids)
    return (rows ?? []).filter(({ id }) => wanted.has(id))
  }, [rows, ids])
  const selected = useMemo(() => chosen.map(({ id }) => id), [chosen])
  const clear = useCallback(() => setIds(NONE), [])
  return { chosen, selected, select: setIds, clear }
}
