import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { I18nContextProvider } from 'react-admin'
import { useEffect, useState } from 'react'

import { headingsOf, optionalHeadingsOf } from '#contract/kit/csv.ts'
import { pick } from '#contract/kit/pick.ts'
import { isNameRefused, isRepeatedAddress } from '#contract/user-import/rules.ts'
import { IMPORT_COLUMNS, IMPORT_FIELDS, IMPORT_ROWS_MAX } from '#contract/user-import/schema.ts'
import { type NewUser, USER_FIELDS } from '#contract/users/schema.ts'
import { DUPLICATE_USERS, type PackageUser, TOO_MANY_USERS } from '#contract/welcome/schema.ts'
import { welcome } from '#providers/i18n/welcome.ts'
import { i18nProvider, loadMessages } from '#providers/i18nProvider.ts'
import { countryName } from '#src/kit/browser/countryName.ts'
import { useReadablePhone } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'
import { ImportDialog } from '#src/kit/import-table/ImportDialog.tsx'
import { PhoneWarnings } from '#src/kit/import-table/PhoneWarnings.tsx'
import { PreviewTable } from '#src/kit/import-table/PreviewTable.tsx'
import { type PersonRow, USER_FORMAT } from '#contract/kit/person-table.ts'
import type { Faulty, Refused } from '#src/kit/import-table/faulty.ts'
import { NameHint } from '#src/users/NameHint.tsx'
import { HeldWords } from '#src/users/import/HeldWords.tsx'
import {
  type Decisions,
  decide,
  readUsers,
  USERS_LIMITS,
  type UsersFile,
} from '#src/users/import/readUsers.ts'

import type { Welcome } from './useWelcome.ts'

const texts = welcome.import

interface Props {
  state: Welcome['state']
  replaced: number
  onImport: (users: readonly PackageUser[]) => void
  onClose: () => void
}

/** Checks the users of a file, and if the package can hold them. */
async function check(
  rows: readonly PersonRow[],
  name: string,
  { state }: Pick<Props, 'state'>,
): Promise<UsersFile | Refused | Faulty<UsersFile>> {
  const read = await readUsers(rows, name, {
    characters: state.nameCharacters,
    phoneCountry: state.phoneCountry,
  })
  const isTooMany = (one: UsersFile) => withoutAdmin(one.users, state).length > state.maxUsers
  if ('users' in read) return isTooMany(read) ? { sentences: [TOO_MANY_USERS] } : read
  const { sentences, rest } = read
  return {
    ...read,
    sentences: sentences.some(isRepeatedAddress) ? [DUPLICATE_USERS, ...sentences] : sentences,
    rest: rest && !isTooMany(rest) ? rest : undefined,
  }
}
const countryOf = ({ phoneCountry }: Welcome['state']) =>
  phoneCountry && countryName(i18nProvider.getLocale(), phoneCountry)
const withoutAdmin = (users: readonly NewUser[], { mainAdminUser }: Welcome['state']): NewUser[] =>
  users.filter(({ email }) => email !== mainAdminUser.email)

/** Replaces the users of the package by those of a CSV file. */
export function ImportUsers(props: Props) {
  const { state, replaced, onImport, onClose } = props
  const [ready, setReady] = useState(false)
  const [decisions, setDecisions] = useState<Decisions>({})
  useEffect(() => {
    let here = true
    void loadMessages().then(() => here && setReady(true))
    return () => {
      here = false
    }
  }, [])
  if (!ready) return null
  return (
    <I18nContextProvider value={i18nProvider}>
      <ImportDialog
        title={texts.title}
        required={[]}
        rules={texts.rules(IMPORT_ROWS_MAX, countryOf(state))}
        template={{ name: texts.template, headings: headingsOf(IMPORT_COLUMNS) }}
        format={USER_FORMAT}
        limits={USERS_LIMITS}
        check={(rows, name) => {
          setDecisions({})
          return check(rows, name, props)
        }}
        chosen={({ name, users }) => texts.chosen(name, users.length)}
        renderPreview={(file) => (
          <>
            <HeldWords held={file.held} decisions={decisions} onDecide={setDecisions} />
            <Preview file={decide(file, decisions)} replaced={replaced} state={state} />
          </>
        )}
        submit={(file) => ({
          label: texts.submit(withoutAdmin(file.users, state).length),
          ...(decide(file, decisions).held.length === 0 && { working: texts.importing }),
        })}
        send={async (file) => {
          const { users } = decide(file, decisions)
          const imported = withoutAdmin(users, state).map((user) => ({
            ...pick(user, USER_FIELDS),
            email: user.email,
            isMainAdminUser: false,
          }))
          onImport(imported)
          return imported
        }}
        failed={texts.failed}
        renderHelp={(sentences) => sentences.some(isNameRefused) && <NameHint settings={null} />}
        onClose={onClose}
      />
    </I18nContextProvider>
  )
}

function Preview({ file, replaced, state }: { file: UsersFile } & Pick<Props, 'replaced' | 'state'>) {
  const text = useText()
  const readablePhone = useReadablePhone()
  const hasSecond = file.users.some(({ secondPhoneNumber }) => secondPhoneNumber !== null)
  const headings = [...headingsOf(IMPORT_COLUMNS), ...(hasSecond ? optionalHeadingsOf(IMPORT_COLUMNS) : [])]
  const held = new Set(file.held.flatMap(({ emails }) => emails))
  const roleOf = (role: string) => state.userRoles.find((one) => one.role === role)?.visibleName ?? role
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      {replaced > 0 && <Alert severity="warning">{texts.overwrites(replaced)}</Alert>}
      {withoutAdmin(file.users, state).length < file.users.length && (
        <Alert severity="info">{texts.mainAdmin}</Alert>
      )}
      <PhoneWarnings warnings={file.warnings} />
      <PreviewTable
        headings={headings}
        rows={file.users}
        cellsOf={(user) => {
          const shown = {
            ...user,
            phoneNumber: readablePhone(user.phoneNumber, user.phoneExtension),
            secondPhoneNumber: readablePhone(user.secondPhoneNumber, user.secondPhoneExtension),
            role: roleOf(user.role),
            type: held.has(user.email)
              ? text('userImport.undecided')
              : user.type === 'EXTERNAL'
                ? texts.yes
                : texts.no,
          }
          return IMPORT_FIELDS.slice(0, headings.length).map((name) => shown[name])
        }}
      />
    </Box>
  )
}
