import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'

import { headingsOf, optionalHeadingsOf } from '#contract/kit/csv.ts'
import { IMPORT_COLUMNS, IMPORT_FIELDS } from '#contract/user-import/schema.ts'
import type { NewUser } from '#contract/users/schema.ts'
import { useReadablePhone } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'
import { PhoneWarnings } from '#src/kit/import-table/PhoneWarnings.tsx'
import { PreviewTable } from '#src/kit/import-table/PreviewTable.tsx'

import type { UsersFile } from './readUsers.ts'

/** Number of the organisation's users, and of those paid for. */
export interface Allowance {
  readonly used: number
  readonly allowed: number
}
interface Props {
  file: UsersFile
  /** Number of rows that name existing users. */
  known: number
  allowance: Allowance | undefined
  sends: boolean
  onSends: (sends: boolean) => void
}

/** The second step: the expected result of the import. */
export function PreviewStep({ file, known, allowance, sends, onSends }: Props) {
  const text = useText()
  const readablePhone = useReadablePhone()
  const count = file.users.length
  const added = count - known
  const over = allowance ? allowance.used + added - allowance.allowed : 0
  const hasMore = file.users.some(
    ({ secondPhoneNumber, deputy }) => secondPhoneNumber !== null || deputy !== null,
  )
  const headings = [...headingsOf(IMPORT_COLUMNS), ...(hasMore ? optionalHeadingsOf(IMPORT_COLUMNS) : [])]
  const held = new Set(file.held.flatMap(({ emails }) => emails))
  const cellsOf = (user: NewUser) => {
    const shown = {
      ...user,
      phoneNumber: readablePhone(user.phoneNumber, user.phoneExtension),
      secondPhoneNumber: readablePhone(user.secondPhoneNumber, user.secondPhoneExtension),
      role: text(`app.roles.${user.role}`),
      type: held.has(user.email)
        ? text('userImport.undecided')
        : text(user.type === 'EXTERNAL' ? 'userImport.yes' : 'userImport.no'),
    }
    return IMPORT_FIELDS.slice(0, headings.length).map((field) => shown[field])
  }
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <Box sx={{ fontWeight: 600 }}>
        {added > 0 ? text('userImport.adds', { smart_count: added }) : text('userImport.addsNobody')}
      </Box>
      {added > 0 && over > 0 && (
        <Alert severity="warning">
          {text('userImport.allowance', { allowed: allowance!.allowed, over })}
        </Alert>
      )}
      {added > 0 && known > 0 && (
        <Alert severity="info">{text('userImport.skips', { smart_count: known })}</Alert>
      )}
      {file.unknownRoles > 0 && (
        <Alert severity="info">{text('userImport.unknownRoles', { smart_count: file.unknownRoles })}</Alert>
      )}
      <PhoneWarnings warnings={file.warnings} />
      <PreviewTable headings={headings} rows={file.users} cellsOf={cellsOf} />
      {added > 0 && (
        <Box>
          <FormControlLabel
            label={text('userImport.send')}
            control={<Checkbox checked={sends} onChange={(_, checked) => onSends(checked)} />}
          />
          <Box sx={{ mt: -0.5, pl: 4, fontSize: '0.75rem', color: 'text.secondary' }}>
            {text('userImport.sendHelp')}
          </Box>
        </Box>
      )}
    </Box>
  )
}
