import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import type { GridColDef } from '@mui/x-data-grid'
import { useMemo } from 'react'

import { Cell } from './Cell.tsx'
import type { Listed } from './resource.ts'
import type { LayoutProps } from './resourceLayout.ts'
import { ACTIONS_WIDTH } from './useColumnChoice.ts'
import { useText } from './useText.ts'
import { visuallyHidden } from './visuallyHidden.ts'

/** The column with the button that opens a row's menu. */
export const ACTIONS = 'actions'
const MORE = <MoreVertRounded />

/** The data grid's columns of a definition: the first leads to the record, the last to what can be done. */
export function useGridColumns({ definition, offers, onMenu }: LayoutProps): GridColDef<Listed>[] {
  const text = useText()
  return useMemo(() => {
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
        renderCell: ({ row }) => {
          const cell = <Cell column={column} row={row} />
          const open = index === 0 && offers.opener(row)
          if (!open) return cell
          return (
            <button
              type="button"
              className="row-link"
              tabIndex={-1}
              onClick={(event) => {
                event.stopPropagation()
                open()
              }}
            >
              {cell}
            </button>
          )
        },
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
  }, [definition, offers, text, onMenu])
}
