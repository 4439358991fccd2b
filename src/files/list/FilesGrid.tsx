import useMediaQuery from '@mui/material/useMediaQuery'
import { DataGrid, type DataGridProps, type GridSortModel, useGridApiRef } from '@mui/x-data-grid'
import { type DragEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react'

import type { StorageItem } from '#contract/files/schema.ts'
import { GRID_STYLES } from '#src/kit/resource/gridStyles.ts'
import { useText } from '#src/kit/useText.ts'

import { ITEMS_PER_PAGE } from '../queries.ts'
import type { ItemSort, Listed } from '../selectionValues.ts'
import type { FilesLayoutProps } from './layoutValues.ts'
import { ACTIONS, useFilesColumns, visibleColumns } from './useFilesColumns.tsx'
import { useLongPress } from './useLongPress.ts'

/** Pixels (operations §9). */
const ROW_HEIGHT = 45
/** Windows in which the details leave the list little room. */
const NARROW = '(max-width: 1279.95px)'
/** The grid is given one page at a time. */
const ONE_PAGE = { page: 0, pageSize: ITEMS_PER_PAGE }
const SORTING = ['asc', 'desc'] as const
const SLOTS = { noRowsOverlay: () => null }
const STYLES = {
  ...GRID_STYLES,
  '& .drop-target': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '-2px' },
} as const

/** Handlers of each row, which find their file or folder by the id of the row's element. */
function useRowProps({ rows, onMenu, drag }: FilesLayoutProps) {
  const api = useGridApiRef()
  const itemOf = (element: HTMLElement) =>
    rows.find(({ id }) => String(id) === element.closest<HTMLElement>('[data-id]')?.dataset['id'])
  const press = useLongPress((element, at) => {
    const item = itemOf(element)
    if (item) onMenu(item, at)
  })
  const onItem =
    (act: (item: StorageItem, event: DragEvent<HTMLElement>) => void) => (event: DragEvent<HTMLElement>) => {
      const item = itemOf(event.currentTarget)
      if (item) act(item, event)
    }
  const { stop, ...touch } = press
  const row = {
    draggable: true,
    ...touch,
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      stop()
      const item = itemOf(event.currentTarget)
      if (!item) return
      event.preventDefault()
      // The grid moves its focus when the button is let go, which would take it away from the open menu.
      const field = (event.target as Element).closest<HTMLElement>('[data-field]')?.dataset['field']
      if (field) api.current?.setCellFocus(item.id, field)
      onMenu(item, { left: event.clientX, top: event.clientY })
    },
    onDragStart: onItem((item, event) =>
      item.isEditable ? drag.start(item, event) : event.preventDefault(),
    ),
    onDragEnd: drag.stop,
    onDragOver: onItem((item, event) => item.isFolder && drag.enter(item.id, event)),
    onDragLeave: drag.leave,
    onDrop: onItem((item, event) => item.isFolder && drag.drop(item.id, event)),
  }
  return { api, row }
}

/** Files and folders as a table: sorting, selection of several, a menu by button, right click, long press and keyboard. */
export function FilesGrid(props: FilesLayoutProps) {
  const { rows, view, onSort, selection, onSelect, onOpen, onMenu, drag, hasDetails } = props
  const text = useText()
  const columns = useFilesColumns(props)
  const { api, row } = useRowProps(props)
  const isNarrow = useMediaQuery(NARROW, { noSsr: true })
  const isFound = view.search !== ''
  const visible = useMemo(
    () => visibleColumns({ isFound, hasDetails, isNarrow }),
    [isFound, hasDetails, isNarrow],
  )
  const [field, order] = view.sort
  const sortModel = useMemo<GridSortModel>(
    () => [{ field, sort: order === 'ASC' ? 'asc' : 'desc' }],
    [field, order],
  )
  const selected = useMemo(
    () => ({ type: 'include' as const, ids: new Set(selection.map(({ id }) => id)) }),
    [selection],
  )
  const localeText = useMemo(
    () => ({
      columnHeaderSortIconLabel: text('grid.sort'),
      checkboxSelectionSelectAllRows: text('files.selectAll'),
      checkboxSelectionUnselectAllRows: text('grid.clearSelection'),
      checkboxSelectionSelectRow: text('files.selectRow'),
      checkboxSelectionUnselectRow: text('files.unselectRow'),
    }),
    [text],
  )
  const onCellKeyDown: DataGridProps<Listed>['onCellKeyDown'] = ({ row: item, field: at }, event) => {
    const wantsMenu =
      event.key === 'ContextMenu' ||
      (event.key === 'F10' && event.shiftKey) ||
      (at === ACTIONS && (event.key === 'Enter' || event.key === ' '))
    if (!wantsMenu && event.key !== 'Enter') return
    event.preventDefault()
    event.defaultMuiPrevented = true
    if (wantsMenu) onMenu(item, event.currentTarget)
    else onOpen(item)
  }
  const shown = useRef(view.page)
  useEffect(() => {
    if (shown.current !== view.page) api.current?.scroll({ top: 0 })
    shown.current = view.page
  }, [api, view.page])
  return (
    <DataGrid
      apiRef={api}
      label={text('files.list')}
      localeText={localeText}
      rows={rows}
      columns={columns}
      columnVisibilityModel={visible}
      rowHeight={ROW_HEIGHT}
      rowCount={rows.length}
      paginationMode="server"
      paginationModel={ONE_PAGE}
      sortingMode="server"
      sortingOrder={SORTING}
      sortModel={sortModel}
      onSortModelChange={([by]) =>
        by && onSort([by.field as ItemSort[0], by.sort === 'desc' ? 'DESC' : 'ASC'])
      }
      filterMode="server"
      disableColumnFilter
      disableColumnMenu
      disableColumnSelector
      checkboxSelection
      disableRowSelectionExcludeModel
      rowSelectionModel={selected}
      onRowSelectionModelChange={({ ids }) => onSelect([...ids].map(Number))}
      getRowClassName={({ id }) => (drag.over === id ? 'drop-target' : '')}
      onCellKeyDown={onCellKeyDown}
      onRowDoubleClick={({ row: item }) => onOpen(item)}
      slots={SLOTS}
      slotProps={{ row }}
      hideFooter
      sx={STYLES}
    />
  )
}
