import useMediaQuery from '@mui/material/useMediaQuery'
import { DataGrid, type DataGridProps } from '@mui/x-data-grid'
import { type DragEvent, type MouseEvent, useMemo } from 'react'

import type { StorageItem } from '#contract/files/schema.ts'
import { GRID_STYLES } from '#src/kit/list/gridStyles.ts'
import { asksForMenu, keepCellFocus, useServerGrid } from '#src/kit/list/useServerGrid.ts'
import { useText } from '#src/kit/useText.ts'

import type { ItemSort, Listed } from '../selectionValues.ts'
import type { FilesLayoutProps } from './layoutValues.ts'
import { useFilesColumns, visibleColumns } from './useFilesColumns.tsx'
import { useLongPress } from '#src/kit/browser/useLongPress.ts'

/** Pixels (operations §9). */
const ROW_HEIGHT = 45
/** Pixels of a row with two lines of the text that was found. */
const FOUND_ROW_HEIGHT = 80
/** Windows in which the details panel leaves the list little width. */
const NARROW = '(max-width: 1279.95px)'
const STYLES = {
  ...GRID_STYLES,
  '& .drop-target': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '-2px' },
} as const

const rowHeightOf: DataGridProps<Listed>['getRowHeight'] = ({ model }) =>
  model['textMatch'] ? FOUND_ROW_HEIGHT : null

/** Row handlers, which find their item by the id of the row's element. */
function useRowProps({ rows, onMenu, drag }: FilesLayoutProps, api: ReturnType<typeof useServerGrid>['api']) {
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
      keepCellFocus(api, item.id, event)
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
  return row
}

/**
 * Files and folders as a table with sorting and multiple selection. The menu opens by button, right click,
 * long press and keyboard.
 */
export function FilesGrid(props: FilesLayoutProps) {
  const { rows, view, onSort, selection, onSelect, onOpen, onMenu, drag, hasDetails } = props
  const text = useText()
  const columns = useFilesColumns(props)
  const { api, gridProps } = useServerGrid({
    name: 'files',
    page: view.page,
    sort: view.sort,
    onSort: (field, order) => onSort([field as ItemSort[0], order]),
  })
  const row = useRowProps(props, api)
  const isNarrow = useMediaQuery(NARROW, { noSsr: true })
  const isFound = view.search !== '' || view.place !== 'folder'
  const visible = useMemo(
    () => visibleColumns({ isFound, hasDetails, isNarrow }),
    [isFound, hasDetails, isNarrow],
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
    const wantsMenu = asksForMenu(at, event)
    if (!wantsMenu && event.key !== 'Enter') return
    event.preventDefault()
    event.defaultMuiPrevented = true
    if (wantsMenu) onMenu(item, event.currentTarget)
    else onOpen(item)
  }
  return (
    <DataGrid
      {...gridProps}
      label={text('files.list')}
      localeText={localeText}
      rows={rows}
      columns={columns}
      columnVisibilityModel={visible}
      rowHeight={ROW_HEIGHT}
      getRowHeight={rowHeightOf}
      rowCount={rows.length}
      checkboxSelection
      disableRowSelectionExcludeModel
      rowSelectionModel={selected}
      onRowSelectionModelChange={({ ids }) => onSelect([...ids].map(Number))}
      getRowClassName={({ id }) => (drag.over === id ? 'drop-target' : '')}
      onCellKeyDown={onCellKeyDown}
      onRowDoubleClick={({ row: item }) => onOpen(item)}
      slotProps={{ row }}
      sx={STYLES}
    />
  )
}
