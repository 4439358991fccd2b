import Box from '@mui/material/Box'
import { DataGrid, type DataGridProps, type GridSortModel, useGridApiRef } from '@mui/x-data-grid'
import { memo, type MouseEvent, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { GRID_STYLES } from './gridStyles.ts'
import { ListSkeleton } from './ListSkeleton.tsx'
import type { LayoutProps } from './resourceLayout.ts'
import { type Listed, namingOf } from './resource.ts'
import { ACTIONS, useGridColumns } from './useGridColumns.tsx'
import { useText } from '../useText.ts'

/** The grid is given one page at a time; turning pages is ours. */
const ONE_PAGE = { page: 0, pageSize: 100 }
/** Every row leads somewhere. */
const LEADING = { ...GRID_STYLES, '& .MuiDataGrid-row': { cursor: 'pointer' } } as const
const SORTING = ['asc', 'desc'] as const
/**
 * The table is drawn in steps, so that no single one keeps what is clicked waiting: frame, columns, rows. Their outline
 * stands in front until they have their height.
 */
const STEPS = 4
const UNSEEN = { visibility: 'hidden' } as const
const NO_ROWS: readonly Listed[] = []
const SLOTS = { noRowsOverlay: () => null }
const STACK = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignItems: 'start',
  '& > *': { gridArea: '1 / 1' },
} as const

/** The records as a table: sorting, one selected row, a menu of actions by button, right click and keyboard. */
export const ResourceGrid = memo(function ResourceGrid(props: LayoutProps) {
  const { definition, rows, state, change, offers, choice, selected, onSelect, onMenu, label } = props
  const text = useText()
  const navigate = useNavigate()
  const api = useGridApiRef()

  const columns = useGridColumns(props)
  const pathOf = definition.leadsTo
  const openerOf = (row: Listed) => (pathOf ? () => void navigate(pathOf(row)) : offers.opener(row))

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
    const opens = event.key === 'Enter' && (pathOf !== undefined || field === namingOf(definition).field)
    const open = opens ? openerOf(row) : undefined
    if (!open && !(wantsMenu && offers.actionsFor(row).length > 0)) return
    event.preventDefault()
    event.defaultMuiPrevented = true
    if (open) open()
    else onMenu(row, event.currentTarget)
  }

  const localeText = useMemo(() => ({ columnHeaderSortIconLabel: text('grid.sort') }), [text])
  const [step, setStep] = useState(1)
  useEffect(() => {
    if (step < STEPS) startTransition(() => setStep(step + 1))
  }, [step])
  const isDrawn = step === STEPS
  const drawnColumns = useMemo(() => (step > 1 ? columns : columns.slice(0, 1)), [step, columns])
  const drawnRows = step > 2 ? rows : NO_ROWS
  const { page } = state
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current !== page) api.current?.scroll({ top: 0 })
    shown.current = page
  }, [api, page])

  return (
    <Box sx={STACK}>
      <DataGrid
        apiRef={api}
        label={label}
        localeText={localeText}
        rows={drawnRows}
        columns={drawnColumns}
        rowCount={drawnRows.length}
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
        isRowSelectable={({ row }) => offers.actionsFor(row).length > 0}
        rowSelectionModel={selection}
        onRowSelectionModelChange={({ ids }) => onSelect(ids.values().next().value)}
        getRowClassName={({ row }) => (definition.faded?.(row) ? 'faded' : '')}
        onCellKeyDown={onCellKeyDown}
        {...(pathOf && { onRowClick: ({ row }) => openerOf(row)?.() })}
        slots={SLOTS}
        slotProps={slotProps}
        hideFooter
        sx={pathOf ? LEADING : GRID_STYLES}
        {...(isDrawn ? {} : { style: UNSEEN })}
      />
      {!isDrawn && <ListSkeleton phone={false} />}
    </Box>
  )
})
