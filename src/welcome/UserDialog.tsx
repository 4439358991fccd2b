import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { type FormEvent, useId, useState } from 'react'

import { cleanEmail, INVALID_NAME, INVALID_PHONE } from '#contract/kit/text.ts'
import { PHONE_FIELDS } from '#contract/kit/phone-fields.ts'
import { readPhonesOf } from '#contract/kit/person-phones.ts'
import { nameProblem } from '#contract/users/rules.ts'
import { EMAIL_TAKEN, USER_DEFAULTS, USER_FIELDS } from '#contract/users/schema.ts'
import { DEPARTMENTS } from '#contract/welcome/rules.ts'
import { type PackageUser, PackageUserInput } from '#contract/welcome/schema.ts'
import { users as userTexts } from '#providers/i18n/users.ts'
import { welcome } from '#providers/i18n/welcome.ts'

import { countryName } from '#src/kit/browser/countryName.ts'
import { loadPhoneReader, readablePhone } from '#src/kit/phones.ts'

import type { Welcome } from './useWelcome.ts'

const texts = welcome.users

const FIELDS = ['email', ...USER_FIELDS] as const
type Field = (typeof FIELDS)[number]
/** Input values; an empty text for a missing one. */
type Values = Readonly<Record<Field, string>>
/** Fields with special inputs or positions. The others follow as text fields. */
const PLACED: ReadonlySet<Field> = new Set([
  'firstName',
  'lastName',
  'email',
  ...PHONE_FIELDS,
  'role',
  'type',
  'department',
  // Chosen later, among people who exist.
  'deputy',
])
const OTHER_FIELDS = USER_FIELDS.filter((name) => !PLACED.has(name))
type Problems = { readonly [F in keyof Values]?: string }
function valuesOf(user: PackageUser | undefined): Values {
  const known: Partial<PackageUser> = user ?? USER_DEFAULTS
  return {
    // `Object.fromEntries` loses the keys in its type.
    ...(Object.fromEntries(FIELDS.map((name) => [name, known[name] ?? ''])) as Values),
    // An extension is written behind its number.
    phoneNumber: readablePhone(known.phoneNumber ?? null, known.phoneExtension),
    phoneExtension: '',
    secondPhoneNumber: readablePhone(known.secondPhoneNumber ?? null, known.secondPhoneExtension),
    secondPhoneExtension: '',
  }
}

interface Props {
  state: Welcome['state']
  others: readonly PackageUser[]
  user?: PackageUser
  onSave: (user: PackageUser) => void
  onClose: () => void
}

/** Named in the language of the page's texts. */
const countryOf = ({ phoneCountry }: Props['state']) => phoneCountry && countryName('en', phoneCountry)

/** The validated user of a form, or its errors. */
async function readUser(values: Values, { state, others }: Pick<Props, 'state' | 'others'>) {
  const { phones, problems: unread } = readPhonesOf(values, await loadPhoneReader(state.phoneCountry))
  const given = { ...values, email: cleanEmail(values.email), ...phones }
  const read = PackageUserInput.safeParse(given)
  const problems: Record<string, string> = {}
  for (const { path, message } of read.error?.issues.toReversed() ?? []) problems[String(path[0])] = message
  for (const field of ['firstName', 'lastName'] as const)
    problems[field] ??= nameProblem(values[field].trim(), state.nameCharacters) ?? ''
  for (const { field } of unread) problems[field] = INVALID_PHONE
  const taken = [state.mainAdminUser, ...others].some(({ email }) => email === read.data?.email)
  if (taken) problems['email'] = EMAIL_TAKEN
  const isSound = Object.values(problems).every((problem) => problem === '')
  return isSound && read.success ? { user: read.data } : { problems: problems as Problems }
}

/** A user of the package, new or edited. */
export function UserDialog({ state, others, user, onSave, onClose }: Props) {
  const [values, setValues] = useState(() => valuesOf(user))
  const [problems, setProblems] = useState<Problems>({})
  const titleId = useId()
  const formId = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const read = await readUser(values, { state, others })
    if (read.user) return onSave(read.user)
    setProblems(read.problems)
    const [first] = Object.entries(read.problems).find(([, problem]) => problem) ?? []
    document.getElementById(formId)?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const field = (name: keyof Values, label: string, help?: string) => ({
    name,
    label,
    value: values[name],
    error: Boolean(problems[name]),
    helperText: problems[name] || help,
    onChange: ({ target }: { target: { value: string } }) => {
      setValues({ ...values, [name]: target.value })
      setProblems({ ...problems, [name]: '' })
    },
  })
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{user ? texts.editTitle : texts.createTitle}</DialogTitle>
      <DialogContent>
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} style={FORM}>
          <TextField {...field('firstName', texts.firstName)} required autoFocus />
          <TextField {...field('lastName', texts.lastName)} required={state.nameCharacters !== 'EXTENDED'} />
          {[problems.firstName, problems.lastName].includes(INVALID_NAME) && (
            <Alert severity="info">
              {userTexts.namesHint} {userTexts.namesAsk}
            </Alert>
          )}
          <TextField {...field('email', texts.email)} required type="email" />
          <TextField {...field('phoneNumber', texts.phone, texts.phoneHelp(countryOf(state)))} type="tel" />
          <TextField {...field('secondPhoneNumber', userTexts.fields.secondPhoneNumber)} type="tel" />
          <TextField {...field('role', texts.role)} select>
            {state.userRoles.map(({ role, visibleName }) => (
              <MenuItem key={role} value={role}>
                {visibleName}
              </MenuItem>
            ))}
          </TextField>
          <TextField {...field('type', texts.type)} select>
            <MenuItem value="INTERNAL">{texts.internal}</MenuItem>
            <MenuItem value="EXTERNAL">{texts.external}</MenuItem>
          </TextField>
          <TextField
            {...field('department', texts.department)}
            slotProps={{ htmlInput: { list: 'departments', autoComplete: 'off' } }}
          />
          <datalist id="departments">
            {DEPARTMENTS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
          {OTHER_FIELDS.map((name) => (
            <TextField key={name} {...field(name, userTexts.fields[name])} />
          ))}
        </form>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button variant="contained" type="submit" form={formId}>
          {texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const FORM = { display: 'grid', gap: 20, paddingTop: 8 } as const
