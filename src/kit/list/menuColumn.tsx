import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import type { GridColDef, GridValidRowModel } from '@mui/x-data-grid'

import { visuallyHidden } from '../layout/visuallyHidden.ts'
import type { useText } from '../useText.ts'

/** Room for the button with a record's actions. */
export const ACTIONS_WIDTH = 48
/** The column with the button that opens a row's menu. */
export const ACTIONS = 'actions'
/** The same element in each row. */
const MORE = <MoreVertRounded />

interface Options<Row> {
  readonly text: ReturnType<typeof useText>
  readonly nameOf: (row: Row) => string
  /** True for rows with actions. */
  readonly hasMenu: (row: Row) => boolean
  readonly onMenu: (row: Row, button: HTMLElement) => void
}

/** The last column of a table: a plain button in each row, which the grid's keys press. */
export const menuColumn = <Row extends GridValidRowModel>(options: Options<Row>): GridColDef<Row> => {
  const { text, nameOf, hasMenu, onMenu } = options
  return {
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
      hasMenu(row) && (
        <button
          type="button"
          className="row-menu"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={text('grid.actionsOf', { name: nameOf(row) })}
          onClick={(event) => {
            event.stopPropagation()
            onMenu(row, event.currentTarget)
          }}
        >
          {MORE}
        </button>
      ),
  }
}
