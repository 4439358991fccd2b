import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import {
  DataGrid,
  type DataGridProps,
  type GridColDef,
  type GridSortModel,
  useGridApiRef,
} from '@mui/x-data-grid'
import { type MouseEvent, useEffect, useMemo } from 'react'

import { Cell, CELL_STYLES } from './Cell.tsx'
import type { LayoutProps } from './resourceLayout.ts'
import type { Listed } from './resource.ts'
import { ACTIONS_WIDTH } from './useColumnChoice.ts'
import { useText } from './useText.ts'
import { visuallyHidden } from './visuallyHidden.ts'

const ACTIONS = 'actions'
/** The grid is given one page at a time; turning pages is ours. */
const ONE_PAGE = { page: 0, pageSize: 100 }
const SORTING = ['asc', 'desc'] as const
const MORE = <MoreVertRounded />

const BARE = {
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: 0,
  cursor: 'pointer',
}

const STYLES = {
  border: 0,
  borderRadius: 0,
  height: 'auto',
  // As high as its rows, and never so high that its header and the bar below leave the window.
  maxHeight: 'max(320px, calc(100dvh - 233px))',
  '&&': {
    '--DataGrid-t-header-background-base': 'var(--m-palette-background-paper)',
    '--DataGrid-t-color-background-base': 'var(--m-palette-background-paper)',
    '--DataGrid-t-color-border-base': 'var(--m-palette-divider)',
  },
  '& .MuiDataGrid-columnHeaderTitle': { fontWeight: 600 },
  '& .MuiDataGrid-columnHeader, & .MuiDataGrid-columnHeaderTitle': { color: 'text.secondary' },
  '& .MuiDataGrid-row': { cursor: 'default' },
  '& .MuiDataGrid-cell': { display: 'flex', alignItems: 'center' },
  '& .MuiDataGrid-cell--textRight': { justifyContent: 'flex-end' },
  '& .MuiDataGrid-columnSeparator': { color: 'divider' },
  '& .first': { fontWeight: 600 },
  '& .row-link': { ...BARE, display: 'flex', minWidth: 0, '&:hover': { textDecoration: 'underline' } },
  '& .row-menu': {
    ...BARE,
    display: 'grid',
    placeItems: 'center',
    width: 32,
    height: 32,
    borderRadius: '6px',
    color: 'text.secondary',
    '&:hover': { bgcolor: 'action.hover' },
  },
  ...CELL_STYLES,
  '& .faded:not(.Mui-selected)': { color: 'text.secondary' },
  '& .MuiDataGrid-cell:focus, & .MuiDataGrid-columnHeader:focus': { outline: 'none' },
  '& .MuiDataGrid-cell:focus-visible, & .MuiDataGrid-columnHeader:focus-visible': {
    outline: '2px solid',
    outlineColor: 'primary.main',
    outlineOffset: '-2px',
  },
} as const

/** The records as a table: sorting, one selected row, a menu of actions by button, right click and keyboard. */
export function ResourceGrid(props: LayoutProps) {
  const { definition, rows, state, change, offers, choice, selected, onSelect, onMenu, onOpen, label } = props
  const text = useText()
  const api = useGridApiRef()

  const columns = useMemo(() => {
    const declared = definition.columns.map((column, index): GridColDef<Listed> => {
      const { field, label: header, flex, width, minWidth, maxWidth, align, headerAlign } = column
      const alignment = column.kind === 'number' ? ('right' as const) : ('left' as const)
      return {
        field,
        headerName: text(header),
        sortable: column.sortable ?? true,
        hideable: index > 0,
        rowHeader: index === 0,
        ...(flex !== undefined && { flex }),
        ...(width !== undefined && { width }),
        ...(minWidth !== undefined && { minWidth }),
        ...(maxWidth !== undefined && { maxWidth }),
        align: align ?? alignment,
        headerAlign: headerAlign ?? alignment,
        ...(index === 0 && { cellClassName: 'first' }),
        renderCell: ({ row }) =>
          index === 0 && offers.canEdit(row) ? (
            <button
              type="button"
              className="row-link"
              tabIndex={-1}
              onClick={(event) => {
                event.stopPropagation()
                onOpen(row)
              }}
            >
              <Cell column={column} row={row} />
            </button>
          ) : (
            <Cell column={column} row={row} />
          ),
      }
    })
    const menu: GridColDef<Listed> = {
      field: ACTIONS,
      headerName: text('grid.actions'),
      width: ACTIONS_WIDTH,
      minWidth: ACTIONS_WIDTH,
      sortable: false,
      resizable: false,
      hideable: false,
      align: 'center',
      renderHeader: () => <span style={visuallyHidden}>{text('grid.actions')}</span>,
      renderCell: ({ row }) =>
        offers.actionsFor(row).length > 0 && (
          <button
            type="button"
            className="row-menu"
            tabIndex={-1}
            aria-haspopup="menu"
            aria-label={text('grid.actionsOf', { name: definition.nameOf(row) })}
            onClick={(event) => onMenu(row, event.currentTarget)}
          >
            {MORE}
          </button>
        ),
    }
    return [...declared, menu]
  }, [definition, offers, text, onMenu, onOpen])

  const sortModel = useMemo<GridSortModel>(
    () => [{ field: state.sort[0], sort: state.sort[1] === 'ASC' ? 'asc' : 'desc' }],
    [state.sort],
  )
  const selection = useMemo(
    () => ({ type: 'include' as const, ids: new Set(selected === undefined ? [] : [selected]) }),
    [selected],
  )
  const slotProps = useMemo(() => {
    const onContextMenu = (event: MouseEvent<HTMLElement>) => {
      const row = rows.find(({ id }) => String(id) === event.currentTarget.dataset['id'])
      if (!row || offers.actionsFor(row).length === 0) return
      event.preventDefault()
      // The grid moves its focus when the button is let go, which would take it away from the open menu.
      const field = (event.target as Element).closest<HTMLElement>('[data-field]')?.dataset['field']
      if (field) api.current?.setCellFocus(row.id, field)
      onMenu(row, { left: event.clientX, top: event.clientY })
    }
    return { row: { onContextMenu } }
  }, [api, rows, offers, onMenu])

  const onCellKeyDown: DataGridProps<Listed>['onCellKeyDown'] = ({ row, field }, event) => {
    const wantsMenu =
      event.key === 'ContextMenu' ||
      (event.key === 'F10' && event.shiftKey) ||
      (field === ACTIONS && (event.key === 'Enter' || event.key === ' '))
    const wantsRecord = event.key === 'Enter' && field === columns[0]?.field && offers.canEdit(row)
    if (!wantsRecord && !(wantsMenu && offers.actionsFor(row).length > 0)) return
    event.preventDefault()
    event.defaultMuiPrevented = true
    if (wantsRecord) onOpen(row)
    else onMenu(row, event.currentTarget)
  }

  const localeText = useMemo(() => ({ columnHeaderSortIconLabel: text('grid.sort') }), [text])
  const { page } = state
  useEffect(() => api.current?.scroll({ top: 0 }), [api, page])

  return (
    <DataGrid
      apiRef={api}
      label={label}
      localeText={localeText}
      rows={rows}
      columns={columns}
      rowCount={rows.length}
      paginationMode="server"
      paginationModel={ONE_PAGE}
      sortingMode="server"
      sortingOrder={SORTING}
      sortModel={sortModel}
      onSortModelChange={([by]) => by && change({ sort: [by.field, by.sort === 'desc' ? 'DESC' : 'ASC'] })}
      filterMode="server"
      disableColumnFilter
      disableColumnMenu
      disableColumnSelector
      columnVisibilityModel={choice.visible}
      density={choice.density}
      disableMultipleRowSelection
      rowSelectionModel={selection}
      onRowSelectionModelChange={({ ids }) => onSelect(ids.values().next().value)}
      getRowClassName={({ row }) => (definition.faded?.(row) ? 'faded' : '')}
      onCellKeyDown={onCellKeyDown}
      slotProps={slotProps}
      hideFooter
      sx={STYLES}
    />
  )
}
