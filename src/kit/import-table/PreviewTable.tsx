import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'

import { useText } from '../useText.ts'

/** Rows of the preview (administration §9). */
const SHOWN = 8

interface Props<Row> {
  headings: readonly string[]
  rows: readonly Row[]
  /** Cells of a row, one per heading. */
  cellsOf: (row: Row) => readonly (string | null)[]
}

/** The first rows of a file, as parsed. */
export function PreviewTable<Row>({ headings, rows, cellsOf }: Props<Row>) {
  const text = useText()
  const count = rows.length
  const shown = rows.slice(0, SHOWN).map(cellsOf)
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={text('tableImport.previewStep')}
      sx={{ border: 1, borderColor: 'divider', borderRadius: '6px' }}
    >
      <Table size="small" sx={{ '& th, & td': { whiteSpace: 'nowrap', borderColor: 'divider' } }}>
        <caption>
          {count > SHOWN ? text('tableImport.shown', { shown: SHOWN, count }) : text('tableImport.shownAll')}
        </caption>
        <TableHead>
          <TableRow>
            {headings.map((heading) => (
              <TableCell key={heading} sx={{ fontWeight: 600 }}>
                {heading}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((cells, row) => (
            // The rows neither move nor change.
            // oxlint-disable-next-line react/no-array-index-key
            <TableRow key={row}>
              {cells.map((cell, index) => (
                <TableCell
                  key={headings[index]}
                  dir="auto"
                  sx={{ maxWidth: 240, overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  {cell || text('grid.nothing')}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}
