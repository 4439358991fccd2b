import { RecordContextProvider, useLocaleState } from 'react-admin'

import { cellValue } from './cellValue.ts'
import { formatNumber } from '../time/formats.ts'
import type { Column, Listed } from './resource.ts'
import { Time } from '../time/Time.tsx'
import { useText } from '../useText.ts'

interface Props {
  column: Column<any, any>
  row: Listed
}

/** The content of a column in the table and on a card. Plain elements, because a screen holds hundreds of them. */
export function Cell({ column, row }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  if (column.render) return <RecordContextProvider value={row}>{column.render(row)}</RecordContextProvider>
  const value = cellValue(column, row, text)
  if (value === null) return <span className="cell-nothing">{text('grid.nothing')}</span>
  if (column.kind === 'time') return <Time at={String(value)} />
  const written = typeof value === 'number' ? formatNumber(locale, value) : value
  return (
    <span className="cell-text" dir="auto" title={written}>
      {written}
    </span>
  )
}
