import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { type ReactNode, useId, useState } from 'react'

import type { Endpoint } from '#contract/kit/endpoint.ts'
import type { SeveralOutcomes } from '#contract/kit/several.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'

import { CancelButton } from '../feedback/CancelButton.tsx'
import { DialogFrame } from '../feedback/DialogFrame.tsx'
import { useSubmitOnce } from '../form/useSubmitOnce.ts'
import { useText } from '../useText.ts'
import type { AnyDefinition, BulkAction, Listed } from './resource.ts'

interface Props {
  definition: AnyDefinition
  action: BulkAction<any, any>
  /** The records selected when the dialog opens. */
  rows: readonly Listed[]
  /** Called once the server has answered, also where it refused some. */
  onDone: () => void
  onClose: () => void
}

function Choice({
  choice,
  value,
  onChange,
}: {
  choice: NonNullable<BulkAction<any, any>['choice']>
  value: string
  onChange: (value: string) => void
}) {
  const text = useText()
  const id = useId()
  // oxlint-disable-next-line react/hooks -- a dialog is that of one action
  const choices = choice.useChoices()
  return (
    <TextField
      select
      id={id}
      label={text(choice.label)}
      value={choices ? value : ''}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { htmlFor: id, id: `${id}-label` }, select: { labelId: `${id}-label` } }}
    >
      {(choices ?? []).map((one) => (
        <MenuItem key={one.value} value={one.value}>
          {one.label}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** Records by name, one a line. */
function Names({ children }: { children: ReactNode }) {
  return (
    <Box
      component="ul"
      // Focusable, so that a keyboard can scroll it.
      tabIndex={0}
      sx={{
        m: 0,
        p: 0,
        listStyle: 'none',
        maxHeight: 'min(240px, 34vh)',
        overflowY: 'auto',
        overflowWrap: 'anywhere',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        '& > li': { px: 1.5, py: 0.75 },
        '& > li + li': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      {children}
    </Box>
  )
}

/** The records that were changed, and those refused with the reasons. */
function Outcomes({
  definition,
  action,
  rows,
  outcomes,
}: Pick<Props, 'definition' | 'action' | 'rows'> & SeveralOutcomes) {
  const text = useText()
  const nameOf = (id: string) => {
    const row = rows.find((one) => one.id === id)
    return row ? definition.nameOf(row) : id
  }
  const done = outcomes.filter(({ refusal }) => refusal === null)
  const refused = outcomes.filter(({ refusal }) => refusal !== null)
  return (
    <>
      {done.length > 0 && (
        <Box sx={{ display: 'flex', gap: 1 }}>
          <CheckCircleRounded color="success" />
          <span>{text(action.done, { smart_count: done.length })}</span>
        </Box>
      )}
      <Box sx={{ display: 'flex', gap: 1, fontWeight: 600 }}>
        <ErrorOutlineRounded color="error" />
        <span>{text(action.refused, { smart_count: refused.length })}</span>
      </Box>
      <Names>
        {refused.map(({ id, refusal }) => (
          <li key={id}>
            <Box dir="auto" sx={{ fontWeight: 600 }}>
              {nameOf(id)}
            </Box>
            <Box sx={{ color: 'text.secondary' }}>{refusal}</Box>
          </li>
        ))}
      </Names>
    </>
  )
}

/** Asks before something is done to several records, and says afterwards for whom it was refused and why. */
export function BulkDialog({ definition, action, rows, onDone, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const [chosen, setChosen] = useState('')
  const [problem, setProblem] = useState<string>()
  const [answer, setAnswer] = useState<SeveralOutcomes>()
  const { busy, submit } = useSubmitOnce(
    async () => {
      setProblem(undefined)
      const body = { ids: rows.map(({ id }) => id), ...(action.choice && { [action.choice.field]: chosen }) }
      const endpoint: Endpoint = definition.api[action.call]
      const reply = (await call(endpoint, { body })) as SeveralOutcomes
      onDone()
      if (reply.outcomes.some(({ refusal }) => refusal !== null)) setAnswer(reply)
      else {
        notify(text(action.done, { smart_count: reply.outcomes.length }), { type: 'success' })
        onClose()
      }
    },
    (error) => setProblem(messageOf(error, text('kit.wentWrong'))),
  )
  const close = () => {
    if (!busy) onClose()
  }
  const words = { smart_count: rows.length }
  if (answer)
    return (
      <DialogFrame
        title={text(action.label)}
        isShort
        onClose={onClose}
        actions={
          <Button autoFocus variant="contained" onClick={onClose}>
            {text('kit.close')}
          </Button>
        }
      >
        <Box role="status" sx={{ display: 'grid', gap: 2 }}>
          <Outcomes definition={definition} action={action} rows={rows} outcomes={answer.outcomes} />
        </Box>
      </DialogFrame>
    )
  return (
    <DialogFrame
      title={text(action.title, words)}
      isShort
      onClose={close}
      actions={
        <>
          <CancelButton onClick={close} disabled={busy} />
          <Button
            variant="contained"
            color={action.destructive ? 'error' : 'primary'}
            loading={busy}
            disabled={action.choice !== undefined && chosen === ''}
            onClick={submit}
          >
            {text(action.label)}
          </Button>
        </>
      }
    >
      <span>{text(action.text, words)}</span>
      <Names>
        {rows.map((row) => (
          <li key={row.id} dir="auto">
            {definition.nameOf(row)}
          </li>
        ))}
      </Names>
      {action.choice && <Choice choice={action.choice} value={chosen} onChange={setChosen} />}
      {problem && <Alert severity="error">{problem}</Alert>}
    </DialogFrame>
  )
}
