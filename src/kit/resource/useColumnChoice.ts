import type { GridDensity } from '@mui/x-data-grid'
import { useCallback, useMemo, useState } from 'react'

import type { AnyTable } from './resource.ts'
import { ACTIONS_WIDTH } from '../list/menuColumn.tsx'
import { useRemembered } from '../list/useRemembered.ts'

/** And for a checkbox. */
const CHECKBOX_WIDTH = 50
const widthOf = ({ minWidth, width }: AnyTable['columns'][number]) => minWidth ?? width ?? 100

/** The columns that fit: those that yield go first, until the rest has room. */
function fitting({ columns, bulkActions }: AnyTable, space: number): ReadonlySet<string> {
  const shown = new Set(columns.map(({ field }) => field))
  const fixed = ACTIONS_WIDTH + (bulkActions ? CHECKBOX_WIDTH : 0)
  const needed = () =>
    columns.reduce((sum, column) => sum + (shown.has(column.field) ? widthOf(column) : 0), fixed)
  const yielding = columns
    .filter((column) => column.yields !== undefined)
    .sort((a, b) => (b.yields ?? 0) - (a.yields ?? 0))
  for (const { field } of yielding) {
    if (space === 0 || needed() <= space) break
    shown.delete(field)
  }
  return shown
}

/** The columns and density of a table: those that fit, unless the person chose. */
export function useColumnChoice(definition: AnyTable) {
  const { name, columns } = definition
  const [chosen, setChosen] = useRemembered<Readonly<Record<string, boolean>>>(name, 'columns', {})
  const [density, setDensity] = useRemembered<GridDensity>(name, 'density', 'compact')
  const [space, setSpace] = useState(0)
  const measured = useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    setSpace(element.clientWidth)
    const observer = new ResizeObserver(() => setSpace(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const visible = useMemo(() => {
    const fits = fitting(definition, space)
    return Object.fromEntries(columns.map(({ field }) => [field, chosen[field] ?? fits.has(field)]))
  }, [definition, columns, space, chosen])
  const show = useCallback(
    (field: string, shown: boolean) => setChosen({ ...chosen, [field]: shown }),
    [chosen, setChosen],
  )
  return { measured, visible, show, density, setDensity }
}
export type ColumnChoice = Omit<ReturnType<typeof useColumnChoice>, 'measured'>
