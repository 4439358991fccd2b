import { normalisedEmail } from '#contract/kit/text.ts'
import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'

import { contactsApi } from '#contract/contacts/api.ts'
import { contactsTooMany, phoneOf, readContacts } from '#contract/contacts/rules.ts'
import {
  CONTACT_COLUMNS,
  type ContactImport,
  type ContactRow,
  CONTACTS_EMPTY,
} from '#contract/contacts/schema.ts'
import { csvFieldsOf, headingsOf, rowOf } from '#contract/kit/csv.ts'
import { call } from '#providers/api.ts'
import { formatNumber, readablePhone } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { ImportDialog } from '#src/kit/import-table/ImportDialog.tsx'
import { PreviewTable } from '#src/kit/import-table/PreviewTable.tsx'
import { type CsvRow, type Faulty, faultyOf, readCsv, type Refused } from '#src/kit/import-table/readCsv.ts'
import { useConfigQuery } from '#src/config/useConfig.ts'

import { useRefreshContacts } from './queries.ts'

/** Default until the server's limit has loaded (administration §9). */
const LIMIT = 100

const HEADINGS = headingsOf(CONTACT_COLUMNS)
type Row = { readonly [K in keyof ContactRow]: string }
/** The content of a parsed file. */
interface ContactsFile {
  readonly name: string
  readonly rows: readonly Row[]
  /** Number of people: rows with the same address count once. */
  readonly count: number
  readonly lists: readonly string[]
  /** Number of phone numbers without a dial code, which cannot be called. */
  readonly incomplete: number
}

/** Parses a file of contacts and checks every row like the server (administration §5 "Contacts CSV"). */
async function readContactsCsv(
  file: File,
  most: number,
): Promise<ContactsFile | Refused | Faulty<ContactsFile>> {
  const found = await readCsv(file, {
    headings: HEADINGS,
    most,
    empty: CONTACTS_EMPTY,
    tooMany: contactsTooMany(most),
  })
  if (!Array.isArray(found)) return found
  const read = (some: readonly CsvRow[]) => {
    const rows = some.map(({ cells }): Row => rowOf(CONTACT_COLUMNS, cells))
    const { contacts, problems } = readContacts(rows, (index) => some[index]!.row)
    return {
      problems,
      name: file.name,
      rows,
      count: contacts.length,
      // List names are case-insensitive, as on the server.
      lists: [...new Map(rows.toReversed().map(({ list }) => [list.toLowerCase(), list])).values()],
      incomplete: contacts.filter(({ phone }) => phone !== null && !phone.startsWith('+')).length,
    }
  }
  const whole = read(found)
  return whole.problems.length === 0 ? whole : faultyOf(file.name, found, whole.problems, HEADINGS, read)
}

/** Result of an import, in total and per list. */
function Outcome({ result: { created, updated, lists } }: { result: ContactImport }) {
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity="success" role="status">
        <AlertTitle>{text('contacts.imported')}</AlertTitle>
        {created > 0 && text('contacts.created', { smart_count: created })}{' '}
        {updated > 0 && text('contacts.updated', { smart_count: updated })}
      </Alert>
      <section>
        <Typography variant="h3" sx={{ mb: 1 }}>
          {text('contacts.lists')}
        </Typography>
        <Box
          component="ul"
          sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
        >
          {lists.map(({ name, count }) => (
            <Box component="li" key={name} sx={{ py: 0.75, overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>{' '}
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {text('contacts.count', { count: formatNumber(locale, count) })}
              </Box>
            </Box>
          ))}
        </Box>
      </section>
    </Box>
  )
}

function Preview({ file: { rows, count, lists, incomplete } }: { file: ContactsFile }) {
  const text = useText()
  const [only] = lists
  const into =
    lists.length === 1 && only !== undefined
      ? only
      : text('contacts.listsInWords', { smart_count: lists.length })
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <div>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {text('contacts.adds', { smart_count: count, lists: into })}
        </Box>
        <Box sx={{ color: 'text.secondary' }}>
          {text('contacts.updates')} {count < rows.length && text('contacts.merges')}
        </Box>
      </div>
      {incomplete > 0 && (
        <Alert severity="warning">{text('contacts.noDialCode', { smart_count: incomplete })}</Alert>
      )}
      <PreviewTable
        headings={HEADINGS}
        rows={rows}
        cellsOf={(row) => {
          const shown = {
            ...row,
            email: normalisedEmail(row.email),
            phone: readablePhone(phoneOf(row.phone)),
          }
          return csvFieldsOf(CONTACT_COLUMNS).map((field) => shown[field])
        }}
      />
    </Box>
  )
}

/** Imports contacts from a file in two steps: choice and review (administration §2.1). */
export function ImportContacts({ onClose }: { onClose: () => void }) {
  const text = useText()
  const refresh = useRefreshContacts()
  const config = useConfigQuery()
  const most = config.data?.contactsUploadMaxLimit ?? LIMIT
  return (
    <ImportDialog
      title={text('contacts.import')}
      required={[config]}
      rules={text('contacts.importRules', { count: most })}
      template={{ name: text('contacts.templateName'), headings: HEADINGS }}
      read={(file) => readContactsCsv(file, most)}
      chosen={({ name, count }) => text('contacts.chosen', { name, smart_count: count })}
      renderPreview={(file) => <Preview file={file} />}
      submit={({ count }) => ({
        label: text('contacts.submit', { smart_count: count }),
        working: text('contacts.importing', { smart_count: count }),
      })}
      send={async ({ rows }) => {
        const done = await call(contactsApi.add, { body: [...rows] })
        refresh()
        return done
      }}
      failed={text('contacts.notImported')}
      renderOutcome={(result) => <Outcome result={result} />}
      onClose={onClose}
    />
  )
}
