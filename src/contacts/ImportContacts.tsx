import { normalisedEmail } from '#contract/kit/text.ts'
import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'

import { contactsApi } from '#contract/contacts/api.ts'
import { type ContactInput, contactsTooMany, readContacts } from '#contract/contacts/rules.ts'
import {
  CONTACT_COLUMNS,
  type ContactImport,
  type ContactRow,
  type ContactWarning,
  CONTACTS_EMPTY,
} from '#contract/contacts/schema.ts'
import { csvFieldsOf, headingsOf, optionalHeadingsOf, rowOf } from '#contract/kit/csv.ts'
import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import { call } from '#providers/api.ts'
import { loadPhoneReader, useReadablePhone } from '#src/kit/phones.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { ImportDialog } from '#src/kit/import-table/ImportDialog.tsx'
import { PhoneWarnings } from '#src/kit/import-table/PhoneWarnings.tsx'
import { PreviewTable } from '#src/kit/import-table/PreviewTable.tsx'
import { usePhoneRule } from '#src/kit/import-table/usePhoneRule.ts'
import { CONTACT_FORMAT, type PersonRow } from '#contract/kit/person-table.ts'
import { type Faulty, faultyOf, type TableRow } from '#src/kit/import-table/faulty.ts'
import { ImportDone } from '#src/imports/ImportDone.tsx'
import { useConfigQuery } from '#src/config/useConfig.ts'

import { contactColumns } from '#src/import-columns/columnMemory.ts'

import { useRefreshContacts } from './queries.ts'

/** Default until the server's limit has loaded (administration §9). */
const LIMIT = 100

const HEADINGS = headingsOf(CONTACT_COLUMNS)
const ALL_HEADINGS = [...HEADINGS, ...optionalHeadingsOf(CONTACT_COLUMNS)]
/** The content of a parsed file. */
interface ContactsFile {
  readonly name: string
  readonly rows: readonly ContactRow[]
  readonly contacts: readonly ContactInput[]
  /** Number of people: rows with the same address count once. */
  readonly count: number
  readonly lists: readonly string[]
  readonly warnings: readonly ContactWarning[]
}

/** A contact of the file with the names of its lists; the cells hold them as one. */
interface PersonCells extends TableRow {
  readonly lists: readonly string[]
}
const cellsOf = ({ row, person }: PersonRow): PersonCells => ({
  row,
  cells: [person.name, person.email, person.phone, person.lists.join('; '), person.secondPhone],
  lists: person.lists,
})

/** Checks every contact of a file like the server (administration §5 "Contacts CSV"), once for each of its lists. */
async function readContactsFile(
  people: readonly PersonRow[],
  name: string,
  phoneCountry: string | null,
): Promise<ContactsFile | Faulty<ContactsFile>> {
  const phones = await loadPhoneReader(phoneCountry)
  const read = (some: readonly PersonCells[]) => {
    const all = some.flatMap(({ cells, lists, row }, index) =>
      (lists.length > 0 ? lists : ['']).map((list) => ({
        index,
        number: row,
        row: { ...rowOf(CONTACT_COLUMNS, cells), list, phoneExtension: null, secondPhoneExtension: null },
      })),
    )
    const rows = all.map(({ row }) => row)
    const { contacts, problems, warnings } = readContacts(rows, {
      phones,
      rowOf: (at) => all[at]!.number,
    })
    return {
      problems: problems.map((problem) => ({ ...problem, index: all[problem.index]!.index })),
      name,
      rows,
      count: contacts.length,
      // List names are case-insensitive, as on the server.
      lists: [...new Map(rows.toReversed().map(({ list }) => [list.toLowerCase(), list])).values()],
      contacts,
      // A row is read once for each of its lists.
      warnings: [...new Map(warnings.map((warning) => [warning.message, warning])).values()],
    }
  }
  const found = people.map(cellsOf)
  const whole = read(found)
  return whole.problems.length === 0 ? whole : faultyOf(name, found, whole.problems, ALL_HEADINGS, read)
}

/** Result of an import, in total and per list. */
function Outcome({ result: { created, updated, lists, warnings } }: { result: ContactImport }) {
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Alert severity="success" role="status">
        <AlertTitle>{text('contacts.imported')}</AlertTitle>
        {created > 0 && text('contacts.created', { smart_count: created })}{' '}
        {updated > 0 && text('contacts.updated', { smart_count: updated })}
      </Alert>
      <PhoneWarnings
        warnings={warnings.filter(({ isKept }) => !isKept)}
        title="tableImport.phonesWereLeftOut"
      />
      <PhoneWarnings warnings={warnings.filter(({ isKept }) => isKept)} title="contacts.phonesKept" />
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

function Preview({ file: { rows, contacts, count, lists, warnings } }: { file: ContactsFile }) {
  const text = useText()
  const readablePhone = useReadablePhone()
  const [only] = lists
  const people = new Map(contacts.map((contact) => [contact.email, contact]))
  const hasSecond = contacts.some(({ secondPhone }) => secondPhone !== null)
  const headings = [...HEADINGS, ...(hasSecond ? optionalHeadingsOf(CONTACT_COLUMNS) : [])]
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
      <PhoneWarnings warnings={warnings.filter(({ isKept }) => !isKept)} />
      <PhoneWarnings warnings={warnings.filter(({ isKept }) => isKept)} title="contacts.phonesKept" />
      <PreviewTable
        headings={headings}
        rows={rows}
        cellsOf={(row) => {
          const email = normalisedEmail(row.email ?? '')
          const contact = people.get(email)
          const shown = {
            ...row,
            email,
            phone: readablePhone(contact?.phone ?? null, contact?.phoneExtension),
            secondPhone: readablePhone(contact?.secondPhone ?? null, contact?.secondPhoneExtension),
          }
          return csvFieldsOf(CONTACT_COLUMNS)
            .slice(0, headings.length)
            .map((field) => shown[field])
        }}
      />
    </Box>
  )
}

/** A row as it is sent. Extensions stand behind their numbers, and 50,000 rows have to fit into a body. */
const sentRow = ({ name, email, phone, list, secondPhone }: ContactsFile['rows'][number]) => ({
  name,
  email,
  phone,
  list,
  ...(secondPhone && { secondPhone }),
})

/** Imports contacts from a file in two steps: choice and review (administration §2.1). */
export function ImportContacts({ onClose }: { onClose: () => void }) {
  const text = useText()
  const refresh = useRefreshContacts()
  const config = useConfigQuery()
  const most = config.data?.contactsUploadMaxLimit ?? LIMIT
  const phoneCountry = phoneCountryOf(config.data ?? {})
  const phoneRule = usePhoneRule(phoneCountry)
  return (
    <ImportDialog
      title={text('contacts.import')}
      required={[config]}
      rules={text('contacts.importRules', { count: most, phoneRule })}
      template={{ name: text('contacts.templateName'), headings: HEADINGS }}
      format={CONTACT_FORMAT}
      memory={contactColumns}
      limits={{ most, empty: CONTACTS_EMPTY, tooMany: contactsTooMany(most) }}
      check={(people, name) => readContactsFile(people, name, phoneCountry)}
      chosen={({ name, count }) => text('contacts.chosen', { name, smart_count: count })}
      renderPreview={(file) => <Preview file={file} />}
      submit={({ count }) => ({
        label: text('contacts.submit', { smart_count: count }),
        working: text('contacts.importing', { smart_count: count }),
      })}
      send={async ({ rows, name: fileName }) => {
        const done = await call(contactsApi.add, { body: rows.map(sentRow), query: { fileName } })
        refresh()
        return done
      }}
      failed={text('contacts.notImported')}
      renderOutcome={(result) => (
        <>
          <Outcome result={result} />
          <ImportDone kind="CONTACTS" importId={result.importId} onUndone={refresh} />
        </>
      )}
      onClose={onClose}
    />
  )
}
