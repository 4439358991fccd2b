import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useId } from 'react'

import { type Encoding, ENCODINGS } from '#contract/kit/encodings.ts'
import { missingFields, type PersonField, type PersonFormat } from '#contract/kit/person-table.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { useText } from '../useText.ts'

import {
  columnCount,
  rowsBelow,
  sheetOf,
  type TableChoice,
  unusedOf,
  withHeadingRow,
  withSheet,
} from './tableChoice.ts'
import { useColumnName, useFileNotes } from './TableNotes.tsx'

/** Values shown of a column. */
const SAMPLES = 3
/** Rows offered as the row of headings. */
const HEADING_ROWS = 30
const OPTION_LENGTH = 60
const NONE = ''

interface Props {
  choice: TableChoice
  format: PersonFormat
  onChange: (choice: TableChoice) => void
  onEncoding: (encoding: Encoding) => void
}

interface ChoiceProps<Value extends string | number> {
  label: TextKey
  value: Value
  options: readonly (readonly [Value, string])[]
  onChoose: (value: Value) => void
}
function FileChoice<Value extends string | number>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  const text = useText()
  return (
    <TextField
      select
      size="small"
      label={text(label)}
      value={value}
      sx={{ flex: '1 1 220px', minWidth: 0 }}
      onChange={({ target }) => onChoose(target.value as Value)}
    >
      {options.map(([option, name]) => (
        <MenuItem key={option} value={option}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** Sheet, row of headings and encoding of the file, where there is a choice. */
function FileChoices({ choice, format, onChange, onEncoding }: Props) {
  const text = useText()
  const { sheets, encoding } = choice.table
  const headingRows = sheetOf(choice)
    .rows.slice(0, HEADING_ROWS)
    .flatMap((row, index) => {
      if (row.length === 0) return []
      const cells = row.filter((cell) => cell !== '').join(', ')
      const shown = cells.length > OPTION_LENGTH ? `${cells.slice(0, OPTION_LENGTH)}…` : cells
      return [[index, text('tableImport.headingRowOption', { row: index + 1, cells: shown })] as const]
    })
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, pt: 1 }}>
      {sheets.length > 1 && (
        <FileChoice
          label="tableImport.sheet"
          value={choice.sheet}
          options={sheets.map(({ name, isHidden }, index) => [
            index,
            isHidden ? text('tableImport.hiddenSheet', { name }) : name,
          ])}
          onChoose={(sheet) => onChange(withSheet(choice, sheet, format).choice)}
        />
      )}
      <FileChoice
        label="tableImport.headingRow"
        value={choice.headingRow}
        options={headingRows}
        onChoose={(row) => onChange(withHeadingRow(choice, row, format))}
      />
      {encoding && (
        <FileChoice
          label="tableImport.encoding"
          value={encoding}
          options={ENCODINGS.map((one) => [one, text(`tableImport.encodings.${one}`)])}
          onChoose={onEncoding}
        />
      )}
    </Box>
  )
}

interface FieldProps {
  field: PersonField
  choice: TableChoice
  isMissing: boolean
  onChoose: (column: number | undefined) => void
}
/** A field of ours with the column that is read as it, and the first values of that column. */
function FieldRow({ field, choice, isMissing, onChoose }: FieldProps) {
  const text = useText()
  const samplesId = useId()
  const nameOf = useColumnName(choice)
  const column = choice.assignment.columns[field]
  const label = text(`tableImport.fields.${field}`)
  const hint = field === 'fullName' || field === 'list' ? text(`tableImport.hints.${field}`) : undefined
  const samples =
    column === undefined
      ? []
      : rowsBelow(choice)
          .map((row) => row[column] ?? '')
          .filter((cell) => cell !== '')
          .slice(0, SAMPLES)
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1.2fr) minmax(0, 1.4fr)' },
        columnGap: 2,
        rowGap: 1,
        alignItems: 'center',
        p: { xs: 1.5, sm: 0 },
        py: { sm: 1 },
        border: { xs: 1, sm: 0 },
        borderTop: 1,
        borderColor: { xs: 'divider', sm: 'divider' },
        borderRadius: { xs: '6px', sm: 0 },
      }}
    >
      <Box>
        <Box sx={{ fontWeight: 600 }}>
          {label}
          {isMissing && ' *'}
        </Box>
        {hint && <Box sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>{hint}</Box>}
      </Box>
      <TextField
        select
        size="small"
        fullWidth
        error={isMissing}
        value={column === undefined ? NONE : String(column)}
        onChange={({ target }) => onChoose(target.value === NONE ? undefined : Number(target.value))}
        slotProps={{
          select: {
            displayEmpty: true,
            SelectDisplayProps: {
              'aria-label': text('tableImport.columnOf', { field: label }),
              'aria-describedby': samplesId,
            },
          },
        }}
      >
        <MenuItem value={NONE}>{text('tableImport.unassigned')}</MenuItem>
        {Array.from({ length: columnCount(choice) }, (_, n) => (
          <MenuItem key={n} value={String(n)}>
            {nameOf(n)}
          </MenuItem>
        ))}
      </TextField>
      <Box id={samplesId} sx={{ fontSize: '0.8125rem', color: 'text.secondary', minWidth: 0 }}>
        {samples.length === 0
          ? column !== undefined && text('tableImport.noValues')
          : samples.map((sample, n) => (
              // Samples may repeat, and do not move.
              // oxlint-disable-next-line react/no-array-index-key
              <Box
                key={n}
                dir="auto"
                sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
              >
                {sample}
              </Box>
            ))}
      </Box>
    </Box>
  )
}

/** The second step for headings of others: which column is which field. */
export function AssignStep({ choice, format, onChange, onEncoding }: Props) {
  const text = useText()
  const { assignment } = choice
  const nameOf = useColumnName(choice)
  const notes = useFileNotes(choice)
  const missing = missingFields(format, assignment)
  const unused = unusedOf(choice).map(nameOf)
  const setColumn = (field: PersonField, column: number | undefined) => {
    const { [field]: _, ...others } = assignment.columns
    const columns = column === undefined ? others : { ...others, [field]: column }
    onChange({ ...choice, assignment: { ...assignment, columns } })
  }
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <div>{text('tableImport.assignHelp')}</div>
      {notes.length > 0 && (
        <Alert severity={choice.table.isEncodingAssumed ? 'warning' : 'info'}>
          {notes.map((note) => (
            <div key={note}>{note}</div>
          ))}
        </Alert>
      )}
      <FileChoices choice={choice} format={format} onChange={onChange} onEncoding={onEncoding} />
      <Box
        component="ul"
        aria-label={text('tableImport.assignStep')}
        sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: { xs: 1.5, sm: 0 } }}
      >
        {format.fields.map((field) => (
          <FieldRow
            key={field}
            field={field}
            choice={choice}
            isMissing={missing.includes(field)}
            onChoose={(column) => setColumn(field, column)}
          />
        ))}
      </Box>
      {format.fields.includes('list') && assignment.columns.list === undefined && (
        <TextField
          size="small"
          label={text('tableImport.everybodyInto')}
          value={assignment.list}
          onChange={({ target }) =>
            onChange({ ...choice, assignment: { ...assignment, list: target.value } })
          }
        />
      )}
      {unused.length > 0 && (
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {text('tableImport.unused', { columns: unused.join(', ') })}
        </Box>
      )}
    </Box>
  )
}
