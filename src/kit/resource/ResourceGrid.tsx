import Box from '@mui/material/Box'
import { DataGrid, type DataGridProps } from '@mui/x-data-grid'
import { useListContext } from 'react-admin'
import { type MouseEvent, startTransition, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { GRID_STYLES } from '../list/gridStyles.ts'
import { GridCheckbox } from '../list/GridCheckbox.tsx'
import { ListSkeleton } from '../list/ListSkeleton.tsx'
import type { LayoutProps } from './resourceLayout.ts'
import { type Listed, namingOf } from './resource.ts'
import { useGridColumns } from './useGridColumns.tsx'
import { asksForMenu, keepCellFocus, SERVER_SLOTS, useServerGrid } from '../list/useServerGrid.ts'
import { useText } from '../useText.ts'

/** Every row leads somewhere. */
const LEADING = { ...GRID_STYLES, '& .MuiDataGrid-row': { cursor: 'pointer' } } as const
/**
 * The table is drawn in steps, so that no single one keeps what is clicked waiting: frame, columns, rows. Their outline
 * stands in front until they have their height.
 */
const STEPS = 4
const UNSEEN = { visibility: 'hidden' } as const
const MULTIPLE = {
  checkboxSelection: true,
  disableRowSelectionOnClick: true,
  disableRowSelectionExcludeModel: true,
  slots: { ...SERVER_SLOTS, baseCheckbox: GridCheckbox },
} as const
const SINGLE = { disableMultipleRowSelection: true } as const
const NO_ROWS: Listed[] = []
const STACK = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignItems: 'start',
  '& > *': { gridArea: '1 / 1' },
} as const

/** The records as a table: sorting, one selected row, a menu of actions by button, right click and keyboard. */
export function ResourceGrid(props: LayoutProps) {
  const { definition, offers, choice, isMultiple, onMenu, label } = props
  const {
    data: rows = NO_ROWS,
    page,
    sort,
    setSort,
    selectedIds,
    onSelect,
    onToggleItem,
  } = useListContext<Listed>()
  const text = useText()
  const navigate = useNavigate()
  const { api, gridProps } = useServerGrid({
    name: definition.name,
    page,
    sort: [sort.field, sort.order],
    onSort: (field, order) => setSort({ field, order }),
  })

  const columns = useGridColumns(props)
  const pathOf = definition.leadsTo
  const openerOf = (row: Listed) => (pathOf ? () => void navigate(pathOf(row)) : offers.opener(row))

  const selection = useMemo(() => ({ type: 'include' as const, ids: new Set(selectedIds) }), [selectedIds])
  const slotProps = useMemo(() => {
    const onContextMenu = (event: MouseEvent<HTMLElement>) => {
      const row = rows.find(({ id }) => String(id) === event.currentTarget.dataset['id'])
      if (!row || offers.actionsFor(row).length === 0) return
      event.preventDefault()
      keepCellFocus(api, row.id, event)
      onMenu(row, { left: event.clientX, top: event.clientY })
    }
    return { row: { onContextMenu } }
  }, [api, rows, offers, onMenu])

  // A checkbox adds to the selection; the rest of the row selects it alone, or with a modifier key as well.
  const onRowClick: DataGridProps<Listed>['onRowClick'] = ({ row }, { ctrlKey, metaKey }) => {
    if (pathOf) openerOf(row)?.()
    else if (!ctrlKey && !metaKey) onSelect([row.id])
    else onToggleItem(row.id)
  }

  const onCellKeyDown: DataGridProps<Listed>['onCellKeyDown'] = ({ row, field }, event) => {
    const wantsMenu = asksForMenu(field, event)
    const opens = event.key === 'Enter' && (pathOf !== undefined || field === namingOf(definition).field)
    const open = opens ? openerOf(row) : undefined
    if (!open && !(wantsMenu && offers.actionsFor(row).length > 0)) return
    event.preventDefault()
    event.defaultMuiPrevented = true
    if (open) open()
    else onMenu(row, event.currentTarget)
  }

  const localeText = useMemo(
    () => ({
      columnHeaderSortIconLabel: text('grid.sort'),
      checkboxSelectionHeaderName: text('grid.selection'),
      checkboxSelectionSelectAllRows: text('grid.selectAll'),
      checkboxSelectionUnselectAllRows: text('grid.clearSelection'),
      checkboxSelectionSelectRow: text('grid.selectRow'),
      checkboxSelectionUnselectRow: text('grid.unselectRow'),
    }),
    [text],
  )
  const [step, setStep] = useState(1)
  useEffect(() => {
    if (step < STEPS) startTransition(() => setStep(step + 1))
  }, [step])
  const isDrawn = step === STEPS
  const drawnColumns = useMemo(() => (step > 1 ? columns : columns.slice(0, 1)), [step, columns])
  const drawnRows = step > 2 ? rows : NO_ROWS

  return (
    <Box sx={STACK}>
      <DataGrid
        {...gridProps}
        label={label}
        localeText={localeText}
        rows={drawnRows}
        columns={drawnColumns}
        rowCount={drawnRows.length}
        columnVisibilityModel={choice.visible}
        density={choice.density}
        {...(isMultiple ? MULTIPLE : SINGLE)}
        isRowSelectable={({ row }) => isMultiple || offers.actionsFor(row).length > 0}
        rowSelectionModel={selection}
        onRowSelectionModelChange={({ ids }) => onSelect([...ids])}
        getRowClassName={({ row }) => (definition.faded?.(row) ? 'faded' : '')}
        onCellKeyDown={onCellKeyDown}
        {...((pathOf || isMultiple) && { onRowClick })}
        slotProps={slotProps}
        sx={pathOf ? LEADING : GRID_STYLES}
        {...(isDrawn ? {} : { style: UNSEEN })}
      />
      {!isDrawn && <ListSkeleton phone={false} />}
    </Box>
  )
}
