import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useId, useState } from 'react'
import { useNotify } from 'react-admin'

import { type HeldRole, STATEMENT_MAX } from '#contract/incident-roles/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { tooLong } from '#contract/kit/text.ts'
import { command as words } from '#providers/i18n/command.ts'
import { usePeople } from '#providers/people.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { byBack } from '#src/kit/browser/navigation.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useText } from '#src/kit/useText.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import { useCommandActs } from './queries.ts'

interface Props {
  incidentId: string
  /** The role that is handed over, or those of which one is assigned. */
  roles: readonly HeldRole[]
  onClose: () => void
}

/** Values and problems of the dialog, and the act. */
function useHandOver({ incidentId, roles, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const { nameOf } = usePeople()
  const { handOver } = useCommandActs(incidentId)
  const [roleId, setRoleId] = useState(roles[0]?.id ?? '')
  // The role as the caller saw it, so that a handover by somebody else meanwhile is a conflict.
  const [known] = useState(roles)
  const role = known.find(({ id }) => id === roleId)
  const [person, setPerson] = useState<string | null>(null)
  const [statement, setStatement] = useState('')
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isTooLong = statement.trim().length > STATEMENT_MAX
  const submit = async (done: () => void) => {
    if (role === undefined || isTooLong) return
    if (person === null) {
      setProblem(words.choosePerson)
      return
    }
    setBusy(true)
    setRefusal(undefined)
    try {
      const body = { holder: person, heldBy: role.holder?.email ?? null, statement: statement.trim() || null }
      await handOver(role.id, body)
      done()
      notify(words.assigned(role.name, nameOf(person)), { type: 'success' })
      onClose()
    } catch (error) {
      const atField = error instanceof HttpProblem ? error.body.fields?.holder : undefined
      setProblem(atField)
      if (atField === undefined) setRefusal(messageOf(error, text('kit.wentWrong')))
    } finally {
      setBusy(false)
    }
  }
  const choose = (email: string | null) => {
    setPerson(email)
    setProblem(undefined)
  }
  return {
    role,
    roleId,
    setRoleId,
    person,
    choose,
    statement,
    setStatement,
    problem,
    refusal,
    busy,
    isTooLong,
    submit,
  }
}

/** The role, the person and the statement. */
function Fields({ roles, form }: { roles: readonly HeldRole[]; form: ReturnType<typeof useHandOver> }) {
  const { user } = useSession()
  const { role, person, statement } = form
  const me = user?.email
  const offersMe = me !== undefined && person !== me && role?.holder?.email !== me
  return (
    <>
      {roles.length > 1 && (
        <TextField
          select
          size="small"
          label={words.role}
          value={form.roleId}
          onChange={({ target }) => form.setRoleId(target.value)}
          helperText={role?.description}
        >
          {roles.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      )}
      <Box sx={{ display: 'grid', gap: 0.5, justifyItems: 'start', '& > :first-of-type': { width: '100%' } }}>
        <PersonPicker
          label={words.person}
          nobody={words.nobody}
          clearLabel={words.clear}
          value={person}
          onChange={form.choose}
          error={form.problem}
        />
        {offersMe && (
          <Button size="small" onClick={() => form.choose(me)} sx={{ minHeight: { xs: 44, sm: 32 } }}>
            {words.me}
          </Button>
        )}
      </Box>
      <TextField
        label={words.statement}
        value={statement}
        onChange={({ target }) => form.setStatement(target.value)}
        multiline
        minRows={2}
        maxRows={6}
        error={form.isTooLong}
        helperText={form.isTooLong ? tooLong(STATEMENT_MAX) : words.statementHelp}
        slotProps={{ htmlInput: { dir: 'auto' } }}
      />
    </>
  )
}

/** Gives a role to the viewer or a colleague, with a statement that is kept. */
export function HandOverDialog(props: Props) {
  const { roles, onClose } = props
  const formId = useId()
  const form = useHandOver(props)
  const { role, statement, busy } = form
  const { guard, letGo, leave } = useLeaveGuard(statement.trim() !== '', {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const holder = role?.holder ?? null
  const close = () => {
    if (!busy) leave(onClose)
  }
  const [title, lead] =
    role && holder
      ? [words.handOverTitle(role.name), words.handOverLead(role.name, fullName(holder) || holder.email)]
      : [words.assignTitle, words.assignLead]
  return (
    <>
      <DialogFrame
        title={title}
        lead={lead}
        isShort
        onClose={close}
        actions={
          <>
            <CancelButton onClick={close} disabled={busy} />
            <Button type="submit" form={formId} variant="contained" disabled={busy}>
              {busy ? words.saving : holder ? words.handOver : words.save}
            </Button>
          </>
        }
      >
        <Box
          component="form"
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void form.submit(letGo)
          }}
          sx={{ display: 'grid', gap: 2, pt: 1 }}
        >
          <Fields roles={roles} form={form} />
        </Box>
        {form.refusal !== undefined && <Alert severity="error">{form.refusal}</Alert>}
      </DialogFrame>
      {guard}
    </>
  )
}
