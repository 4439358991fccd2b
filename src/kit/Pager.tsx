import TablePagination from '@mui/material/TablePagination'
import { useLocaleState } from 'ra-core'

import { formatNumber } from './formats.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { PAGE_SIZES } from './useListState.ts'
import type { ResourceList } from './useResourceList.ts'
import { useText } from './useText.ts'

const BUTTONS = {
  first: 'grid.firstPage',
  previous: 'grid.previousPage',
  next: 'grid.nextPage',
  last: 'grid.lastPage',
} as const satisfies Readonly<Record<string, TextKey>>

/** Which rows these are, of how many, and the way to the others. */
export function Pager({ list, phone }: { list: ResourceList; phone: boolean }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { state, change, total, pages } = list
  const number = (value: number) => formatNumber(locale, value)
  const several = total > PAGE_SIZES[0]
  return (
    <TablePagination
      component="div"
      count={total}
      page={Math.min(state.page, pages) - 1}
      rowsPerPage={state.size}
      rowsPerPageOptions={several && !phone ? PAGE_SIZES : []}
      labelRowsPerPage={text('grid.rowsPerPage')}
      labelDisplayedRows={({ from, to, count }) =>
        text('grid.pageOf', { from: number(from), to: number(to), total: number(count) })
      }
      showFirstButton={pages > 2}
      showLastButton={pages > 2}
      getItemAriaLabel={(type) => text(BUTTONS[type])}
      onPageChange={(_, page) => change({ page: page + 1 })}
      onRowsPerPageChange={(event) => change({ size: Number(event.target.value) })}
      sx={{
        ml: 'auto',
        flex: 'none',
        color: 'text.secondary',
        '& .MuiTablePagination-toolbar': { minHeight: 51, pr: pages > 1 ? 0.5 : 2, pl: 0 },
        ...(pages === 1 && { '& .MuiTablePagination-actions': { display: 'none' } }),
      }}
    />
  )
}
