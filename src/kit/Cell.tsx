import Box from '@mui/material/Box'
import { useLocaleState } from 'ra-core'

import { cellValue } from './cellValue.ts'
import { formatNumber } from './formats.ts'
import type { Column, Listed } from './resource.ts'
import { Time } from './Time.tsx'
import { useText } from './useText.ts'

interface Props {
  column: Column<any>
  row: Listed
}

/** What a column shows of a record, in the table and on a card. */
export function Cell({ column, row }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  if (column.render) return column.render(row)
  const value = cellValue(column, row, text)
  if (value === null)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {text('grid.nothing')}
      </Box>
    )
  if (column.kind === 'time') return <Time at={String(value)} />
  const written = typeof value === 'number' ? formatNumber(locale, value) : value
  return (
    <Box
      component="span"
      dir="auto"
      title={written}
      sx={{ overflow: 'hidden', textOverflow: 'ellipsis', unicodeBidi: 'isolate' }}
    >
      {written}
    </Box>
  )
}
