import Box from '@mui/material/Box'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useMemo, useRef, useState } from 'react'

import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { NotPreviewed, PreviewState } from './PreviewState.tsx'
import { columnLetters, columnWidths, readSheets, ROW_HEIGHT, type Sheet } from './sheetValues.ts'
import { type Load, usePreviewed } from './usePreviewed.ts'

/** Pixels of the column with row numbers. */
const NUMBERS_WIDTH = 56

const cellSx = {
  position: 'absolute',
  top: 0,
  height: ROW_HEIGHT,
  px: 1,
  borderRight: 1,
  borderBottom: 1,
  borderColor: 'divider',
  lineHeight: `${ROW_HEIGHT - 1}px`,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  fontSize: '0.8125rem',
} as const
const headSx = {
  ...cellSx,
  bgcolor: 'background.default',
  color: 'text.secondary',
  textAlign: 'center',
} as const

interface Column {
  readonly index: number
  readonly start: number
  readonly size: number
}
interface RowProps {
  cells: readonly string[]
  index: number
  start: number
  columns: readonly Column[]
}

const Row = memo(function SheetRow({ cells, index, start, columns }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      style={{ position: 'absolute', left: 0, top: 0, transform: `translateY(${start + ROW_HEIGHT}px)` }}
    >
      <Box role="rowheader" sx={{ ...headSx, left: 0, width: NUMBERS_WIDTH }}>
        {index + 1}
      </Box>
      {columns.map((column) => (
        <Box
          key={column.index}
          role="cell"
          aria-colindex={column.index + 2}
          title={cells[column.index]}
          dir="auto"
          sx={cellSx}
          style={{ left: column.start + NUMBERS_WIDTH, width: column.size }}
        >
          {cells[column.index]}
        </Box>
      ))}
    </div>
  )
})

/** The cells of a sheet, read-only and virtualised. */
function SheetTable({ sheet }: { sheet: Sheet }) {
  const text = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const widths = useMemo(() => columnWidths(sheet.rows), [sheet])
  const getScrollElement = () => scroller.current
  // oxlint-disable-next-line react-hooks-js/incompatible-library -- nothing here is memoized by a compiler
  const rows = useVirtualizer({
    count: sheet.rows.length,
    getScrollElement,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: widths.length,
    getScrollElement,
    estimateSize: (index) => widths[index]!,
    overscan: 4,
  })
  const inSight = columns.getVirtualItems()
  return (
    <Box
      ref={scroller}
      role="table"
      // Makes the scroll area reachable by keyboard.
      tabIndex={0}
      aria-label={
        sheet.name === '' ? text('filePreview.document') : text('filePreview.sheet', { name: sheet.name })
      }
      aria-rowcount={sheet.rows.length + 1}
      aria-colcount={widths.length + 1}
      sx={{ flex: 1, minHeight: 0, overflow: 'auto', bgcolor: 'background.paper' }}
    >
      <div
        role="rowgroup"
        style={{
          position: 'relative',
          width: columns.getTotalSize() + NUMBERS_WIDTH,
          height: rows.getTotalSize() + ROW_HEIGHT,
        }}
      >
        <Box role="row" aria-rowindex={1} sx={{ position: 'sticky', top: 0, zIndex: 1, height: ROW_HEIGHT }}>
          <Box role="columnheader" sx={{ ...headSx, left: 0, width: NUMBERS_WIDTH }}>
            <span style={visuallyHidden}>{text('filePreview.rowNumber')}</span>
          </Box>
          {inSight.map(({ index, start, size }) => (
            <Box
              key={index}
              role="columnheader"
              aria-colindex={index + 2}
              sx={headSx}
              style={{ left: start + NUMBERS_WIDTH, width: size }}
            >
              {columnLetters(index)}
            </Box>
          ))}
        </Box>
        {rows.getVirtualItems().map(({ index, start }) => (
          <Row key={index} cells={sheet.rows[index]!} index={index} start={start} columns={inSight} />
        ))}
      </div>
    </Box>
  )
}

interface Props {
  extension: string
  load: Load
}

/** The sheets of a workbook or the rows of a CSV file. */
export function SheetPreview({ extension, load }: Props) {
  const text = useText()
  const read = useCallback((content: Blob) => readSheets(content, extension), [extension])
  const state = usePreviewed(load, read)
  const [chosen, setChosen] = useState(0)
  if (state.status !== 'ready') return <PreviewState state={state} />
  const sheets = state.value
  if (sheets.length === 0) return <NotPreviewed because="emptySheet" />
  return (
    <Box sx={{ flex: 1, display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0 }}>
      {sheets.length > 1 && (
        <Tabs
          value={chosen}
          onChange={(_, next: number) => setChosen(next)}
          variant="scrollable"
          aria-label={text('filePreview.sheets')}
        >
          {sheets.map(({ name, isHidden = false }) => (
            <Tab
              key={name}
              label={isHidden ? text('filePreview.hiddenSheet', { name }) : name}
              sx={{ textTransform: 'none' }}
            />
          ))}
        </Tabs>
      )}
      <SheetTable key={chosen} sheet={sheets[chosen]!} />
    </Box>
  )
}
