import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'

import { PERSON_FIELDS } from '#contract/kit/person-table.ts'
import { useText } from '../useText.ts'

import { headingsOf, isTemplate, sheetOf, type TableChoice, unusedOf } from './tableChoice.ts'

/** Names of columns: their headings, or their numbers. */
export function useColumnName(choice: TableChoice) {
  const text = useText()
  const headings = headingsOf(choice)
  return (column: number) => headings[column] || text('tableImport.unnamed', { number: column + 1 })
}

/** Sentences about a file that a person has to know before they import it. */
export function useFileNotes(choice: TableChoice): string[] {
  const text = useText()
  const { notes, encoding, isEncodingAssumed, sheets } = choice.table
  return [
    ...(isEncodingAssumed && encoding
      ? [text('tableImport.assumedEncoding', { encoding: text(`tableImport.encodings.${encoding}`) })]
      : []),
    ...(sheets.length > 1
      ? [text('tableImport.readSheet', { name: sheetOf(choice).name, count: sheets.length })]
      : []),
    ...notes.map(({ kind, count }) => text(`tableImport.notes.${kind}`, { smart_count: count })),
  ]
}

interface Props {
  choice: TableChoice
  /** Headings of the template. */
  template: readonly string[]
  /** Leads to the assignment of columns. */
  onChange: () => void
}

/** Notes on the reading of a file, above its preview. Nothing for the headings of the template. */
export function TableNotes({ choice, template, onChange }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const nameOf = useColumnName(choice)
  const notes = useFileNotes(choice)
  const list = (items: readonly string[]) => new Intl.ListFormat(locale, { type: 'unit' }).format(items)
  const hasOtherNames = !isTemplate(choice, template)
  if (!hasOtherNames && notes.length === 0) return null
  const pairs = PERSON_FIELDS.flatMap((field) => {
    const column = choice.assignment.columns[field]
    if (column === undefined) return []
    return [
      text('tableImport.readAsPair', { field: text(`tableImport.fields.${field}`), heading: nameOf(column) }),
    ]
  })
  const unused = unusedOf(choice).map(nameOf)
  const sentences = [
    ...notes,
    ...(hasOtherNames ? [text('tableImport.readAs', { columns: list(pairs) })] : []),
    ...(hasOtherNames && unused.length > 0 ? [text('tableImport.unused', { columns: list(unused) })] : []),
  ]
  return (
    <Alert severity={choice.table.isEncodingAssumed ? 'warning' : 'info'}>
      {sentences.map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
      <Box sx={{ mt: 1 }}>
        <Button size="small" color="inherit" variant="outlined" onClick={onChange}>
          {text('tableImport.change')}
        </Button>
      </Box>
    </Alert>
  )
}
