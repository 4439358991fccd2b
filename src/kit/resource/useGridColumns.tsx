import type { GridColDef } from '@mui/x-data-grid'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'

import { Cell } from './Cell.tsx'
import { menuColumn } from '../list/menuColumn.tsx'
import { type Listed, namingOf } from './resource.ts'
import type { LayoutProps } from './resourceLayout.ts'
import { useText } from '../useText.ts'

/** The data grid's columns of a definition: the one with the name leads to the record, the last to what can be done. */
export function useGridColumns({ definition, offers, onMenu }: LayoutProps): GridColDef<Listed>[] {
  const text = useText()
  return useMemo(() => {
    const naming = namingOf(definition)
    const declared = definition.columns.map((column): GridColDef<Listed> => {
      const names = column === naming
      const { field, label: header, flex, width, minWidth, maxWidth, align, headerAlign } = column
      const alignment = column.kind === 'number' ? ('right' as const) : ('left' as const)
      return {
        field,
        headerName: text(header),
        sortable: column.sortable ?? true,
        hideable: !names,
        rowHeader: names,
        ...(flex !== undefined && { flex }),
        ...(width !== undefined && { width }),
        ...(minWidth !== undefined && { minWidth }),
        ...(maxWidth !== undefined && { maxWidth }),
        align: align ?? alignment,
        headerAlign: headerAlign ?? alignment,
        ...(names && { cellClassName: 'first' }),
        renderCell: ({ row }) => {
          const cell = <Cell column={column} row={row} />
          const to = names ? definition.leadsTo?.(row) : undefined
          if (to !== undefined)
            return (
              <Link className="row-link" tabIndex={-1} to={to} onClick={(event) => event.stopPropagation()}>
                {cell}
              </Link>
            )
          const open = names && offers.opener(row)
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
    const menu = menuColumn<Listed>({
      text,
      nameOf: definition.nameOf,
      hasMenu: (row) => offers.actionsFor(row).length > 0,
      onMenu,
    })
    return definition.actions || definition.edit ? [...declared, menu] : declared
  }, [definition, offers, text, onMenu])
}
