import TablePagination from '@mui/material/TablePagination'
import { useLocaleState } from 'react-admin'

import { formatNumber } from '../time/formats.ts'
import { useText } from '../useText.ts'

interface Props {
  /** From 1. */
  page: number
  perPage: number
  total: number
  setPage: (page: number) => void
  setPerPage?: (perPage: number) => void
  /** The page sizes that can be chosen. */
  sizes?: readonly number[]
  /** `total` is one more than was counted: there may be further records. */
  isMinimum?: boolean
  phone: boolean
}

/** Range and number of the rows, and buttons to other pages. */
export function Pager({ page, perPage, total, setPage, setPerPage, sizes = [], isMinimum, phone }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const number = (value: number) => formatNumber(locale, value)
  // MUI counts from 0.
  const last = Math.max(0, Math.ceil(total / perPage) - 1)
  const isChoice = setPerPage !== undefined && !phone && total > Math.min(...sizes)
  return (
    <TablePagination
      component="div"
      count={total}
      page={Math.min(page - 1, last)}
      onPageChange={(_, to) => setPage(to + 1)}
      rowsPerPage={perPage}
      rowsPerPageOptions={isChoice ? sizes : []}
      onRowsPerPageChange={({ target }) => setPerPage?.(Number(target.value))}
      labelRowsPerPage={`${text('grid.rowsPerPage')}:`}
      labelDisplayedRows={({ from, to }) =>
        text('grid.pageOf', {
          from: number(from),
          to: number(to),
          total: isMinimum ? `${number(total - 1)}+` : number(total),
        })
      }
      slotProps={{ displayedRows: { 'aria-live': 'polite' } }}
      getItemAriaLabel={(end) => text(`grid.${end}Page`)}
      showFirstButton={last > 1}
      showLastButton={last > 1}
      sx={{
        flex: 'none',
        ml: 'auto',
        color: 'text.secondary',
        ...(last === 0 && {
          '& .MuiTablePagination-toolbar': { pr: 2 },
          '& .MuiTablePagination-actions': { display: 'none' },
        }),
      }}
    />
  )
}
