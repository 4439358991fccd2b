import { type GridSortModel, useGridApiRef } from '@mui/x-data-grid'
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react'

import { type Scroller, useScrollBack } from '../browser/useScrollBack.ts'

import { ACTIONS } from './menuColumn.tsx'

/** A grid is given one page at a time, in order; turning pages is ours. */
const ONE_PAGE = { page: 0, pageSize: 100 }
const SORTING = ['asc', 'desc'] as const
export const SERVER_SLOTS = { noRowsOverlay: () => null }

interface Options {
  /** Names the list among those of a page. */
  readonly name: string
  /** Counts from 1. */
  readonly page: number
  readonly sort: readonly [field: string, order: 'ASC' | 'DESC']
  readonly onSort: (field: string, order: 'ASC' | 'DESC') => void
}

/**
 * Shared props of tables paged and sorted by the server. Another page begins at its top; one that somebody comes back to
 * stands where it was left.
 */
export function useServerGrid({ name, page, sort: [field, order], onSort }: Options) {
  const api = useGridApiRef()
  const sortModel = useMemo<GridSortModel>(
    () => [{ field, sort: order === 'ASC' ? 'asc' : 'desc' }],
    [field, order],
  )
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current !== page) api.current?.scroll({ top: 0 })
    shown.current = page
  }, [api, page])
  const scroller = useMemo<Scroller>(
    () => ({
      watch: (note) => api.current?.subscribeEvent('scrollPositionChange', ({ top }) => note(top)),
      scrollTo: (top) => api.current?.scroll({ top }),
    }),
    [api],
  )
  useScrollBack(true, name, scroller)
  return {
    api,
    gridProps: {
      apiRef: api,
      paginationMode: 'server',
      paginationModel: ONE_PAGE,
      sortingMode: 'server',
      sortingOrder: SORTING,
      sortModel,
      onSortModelChange: ([by]: GridSortModel) => by && onSort(by.field, by.sort === 'desc' ? 'DESC' : 'ASC'),
      filterMode: 'server',
      disableColumnFilter: true,
      disableColumnMenu: true,
      disableColumnSelector: true,
      slots: SERVER_SLOTS,
      hideFooter: true,
    },
  } as const
}

/**
 * Keeps the focus of a grid in the cell of a right click: it would be moved there when the button is let go, away from
 * the menu that is open by then.
 */
export function keepCellFocus(
  api: ReturnType<typeof useGridApiRef>,
  id: string | number,
  { target }: MouseEvent<HTMLElement>,
): void {
  const field = (target as Element).closest<HTMLElement>('[data-field]')?.dataset['field']
  if (field) api.current?.setCellFocus(id, field)
}

/** True for keys that open the row's menu from a cell. */
export const asksForMenu = (field: string, { key, shiftKey }: KeyboardEvent): boolean =>
  key === 'ContextMenu' ||
  (key === 'F10' && shiftKey) ||
  (field === ACTIONS && (key === 'Enter' || key === ' '))
