import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useId, useState } from 'react'

import { IMPORT_COLUMNS, type ImportColumn } from '#contract/playbook-imports/schema.ts'
import { useText } from '#src/kit/useText.ts'

import type { TableEntry } from './importValues.ts'

const LEFT_OUT = 'none'

interface ColumnProps {
  heading: string
  samples: readonly string[]
  value: ImportColumn | null
  disabled: boolean
  onChange: (column: ImportColumn | null) => void
}

/** A column of the file with its first values, and what it is. */
function Column({ heading, samples, value, disabled, onChange }: ColumnProps) {
  const text = useText()
  const id = useId()
  return (
    <Box
      component="li"
      sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 220px' }, gap: 1, alignItems: 'center', py: 1 }}
    >
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box component="bdi" sx={{ fontWeight: 600 }}>
          {heading}
        </Box>
        <Box dir="auto" sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
          {samples.join(' · ') || text('playbookDialogs.noValues')}
        </Box>
      </Box>
      <TextField
        select
        id={id}
        size="small"
        label={text('playbookDialogs.columnIs', { name: heading })}
        value={value ?? LEFT_OUT}
        disabled={disabled}
        onChange={({ target }) => onChange(IMPORT_COLUMNS.find((one) => one === target.value) ?? null)}
      >
        <MenuItem value={LEFT_OUT}>{text('playbookDialogs.columns.none')}</MenuItem>
        {IMPORT_COLUMNS.map((column) => (
          <MenuItem key={column} value={column}>
            {text(`playbookDialogs.columns.${column}`)}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  )
}

interface Props {
  entry: TableEntry
  disabled: boolean
  onRead: (entry: TableEntry, columns: readonly (ImportColumn | null)[]) => void
  onDismiss: (key: string) => void
}

/** Assigns the columns of a table whose headings name no title. */
export function AssignColumns({ entry, disabled, onRead, onDismiss }: Props) {
  const text = useText()
  const { key, source, table } = entry
  const [columns, setColumns] = useState(table.columns)
  const name = (place: number) =>
    table.headings[place]?.trim() || text('playbookDialogs.columnNumber', { number: place + 1 })
  const assign = (place: number, column: ImportColumn | null) =>
    setColumns((before) =>
      before.map((one, other) => {
        if (other === place) return column
        // A column is what it was, unless another one takes its place.
        return one === column && column !== 'labels' ? null : one
      }),
    )
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1,
        p: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Box sx={{ overflowWrap: 'anywhere' }}>
        <Box component="bdi" sx={{ fontWeight: 600 }}>
          {source}
        </Box>
        <Box sx={{ color: 'text.secondary' }}>
          {text('playbookDialogs.assignText', { smart_count: table.rowsCount })}
        </Box>
      </Box>
      <Box
        component="ul"
        aria-label={text('playbookDialogs.columnsOf', { name: source })}
        sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {columns.map((column, place) => (
          <Column
            // The columns neither move nor change.
            // oxlint-disable-next-line react/no-array-index-key
            key={place}
            heading={name(place)}
            samples={table.samples[place] ?? []}
            value={column}
            disabled={disabled}
            onChange={(value) => assign(place, value)}
          />
        ))}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
        <Button color="inherit" disabled={disabled} onClick={() => onDismiss(key)}>
          {text('playbookDialogs.leaveOut')}
        </Button>
        <Button
          variant="outlined"
          disabled={disabled || !columns.includes('title')}
          onClick={() => onRead(entry, columns)}
        >
          {text('playbookDialogs.readTable')}
        </Button>
      </Box>
    </Box>
  )
}
