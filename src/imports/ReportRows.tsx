import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import type { ImportReportRow } from '#contract/imports/schema.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useReadablePhone } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import { type RowFilter, useReportRows } from './queries.ts'

/** Fields that are shown, in their order; a country only explains its number. */
const FIELDS = [
  'firstName',
  'lastName',
  'name',
  'phoneNumber',
  'phoneExtension',
  'secondPhoneNumber',
  'secondPhoneExtension',
  'phone',
  'secondPhone',
  'location',
  'department',
  'deputy',
  'role',
  'type',
  'lists',
  'active',
] as const
type Field = (typeof FIELDS)[number]

/** Changed values, and the values of an added person. */
function Changes({ outcome, changes }: Pick<ImportReportRow, 'outcome' | 'changes'>) {
  const text = useText()
  const readablePhone = useReadablePhone()
  const words = (field: Field, value: string | null): string => {
    if (!value) return text('imports.nothing')
    if (field === 'role') return text(`app.roles.${value as 'USER'}`)
    if (field === 'type') return text(`users.types.${value as 'INTERNAL'}`)
    if (field === 'active') return text(value === 'true' ? 'userImport.yes' : 'userImport.no')
    return /phone/i.test(field) && value.startsWith('+') ? readablePhone(value) : value
  }
  const byField = new Map(changes.map((change) => [change.field, change]))
  const lines = FIELDS.flatMap((field) => {
    const change = byField.get(field)
    if (!change || (outcome === 'ADDED' && !change.to)) return []
    const names = { field: text(`imports.fields.${field}`), to: words(field, change.to) }
    return outcome === 'ADDED'
      ? text('imports.is', names)
      : text('imports.was', { ...names, from: words(field, change.from) })
  })
  return (
    <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {outcome === 'ADDED' ? lines.join(' · ') : lines.map((line) => <div key={line}>{line}</div>)}
    </Box>
  )
}

function Row({ row }: { row: ImportReportRow }) {
  const text = useText()
  const { email, row: number, outcome, changes, message, undo } = row
  return (
    <Box component="li" sx={{ py: 1 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
        <Box component="span" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          <bdi>{email || '–'}</bdi>
        </Box>
        {number !== null && (
          <Box component="span" sx={{ flex: 'none', color: 'text.secondary' }}>
            {text('imports.row', { row: number })}
          </Box>
        )}
      </Box>
      {changes.length > 0 && <Changes outcome={outcome} changes={changes} />}
      {message && <Box sx={{ overflowWrap: 'anywhere' }}>{message}</Box>}
      {undo && undo !== 'UNDONE' && <Box>{text(`imports.kept.${undo}`)}</Box>}
    </Box>
  )
}

interface Props {
  id: string
  filter: RowFilter
  label: string
  /** Text for no rows. */
  none: TextKey
}
/** Rows of a report, some at once. */
export function ReportRows({ id, filter, label, none }: Props) {
  const text = useText()
  const rows = useReportRows(id, filter)
  const found = rows.data?.pages.flat()
  if (!found)
    return rows.error ? (
      <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
    ) : (
      <ListSkeleton phone />
    )
  if (found.length === 0) return <EmptyState text={text(none)} />
  return (
    <>
      <Box
        component="ul"
        aria-label={label}
        sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {found.map((row) => (
          <Row key={row.n} row={row} />
        ))}
      </Box>
      {rows.hasNextPage && (
        <Button loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()} sx={{ my: 1 }}>
          {text('imports.more')}
        </Button>
      )}
    </>
  )
}
