import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { suppressionsApi } from '#contract/suppressions/api.ts'
import { wayBack } from '#contract/suppressions/rules.ts'
import { LIFT_REASON_REQUIRED, type Suppression } from '#contract/suppressions/schema.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { useReadablePhone } from '#src/kit/phones.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useLift } from './queries.ts'

interface AllowProps {
  suppression: Suppression
  /** The address for reading. */
  name: string
  /** The only one of the dialog. */
  isOnly: boolean
  onLifted: () => void
}

/** The field of an administrator who allows the address again. A refusal keeps what was typed. */
function AllowAgain({ suppression, name, isOnly, onLifted }: AllowProps) {
  const text = useText()
  const notify = useNotify()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<{ field?: string; notice?: string }>({})
  const { mutateAsync: lift } = useLift(suppression.id)
  const { busy, submit } = useSubmitOnce(async () => {
    if (reason.trim() === '') return setProblem({ field: LIFT_REASON_REQUIRED })
    setProblem({})
    try {
      await lift(reason)
      notify(text('suppressions.allowed', { address: name }), { type: 'success' })
      onLifted()
    } catch (error) {
      const field = error instanceof HttpProblem ? error.body.fields?.['reason'] : undefined
      setProblem(field === undefined ? { notice: messageOf(error, text('kit.wentWrong')) } : { field })
    }
  })
  return (
    <Box sx={{ display: 'grid', gap: 1.5, mt: 2 }}>
      <TextField
        label={text('suppressions.reason')}
        required
        multiline
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={problem.field !== undefined}
        helperText={problem.field}
        fullWidth
        slotProps={{ htmlInput: { dir: 'auto', maxLength: MEDIUM_TEXT_MAX } }}
      />
      {problem.notice !== undefined && <Alert severity="error">{problem.notice}</Alert>}
      <Button
        variant={isOnly ? 'contained' : 'outlined'}
        loading={busy}
        onClick={submit}
        sx={{ justifySelf: 'start' }}
      >
        {text('suppressions.allow')}
      </Button>
    </Box>
  )
}

interface Props {
  suppressions: readonly Suppression[]
  onClose: () => void
}

/** Addresses of a person that are not tried: cause, day, the carrier's words and the ways back. */
export function SuppressionDialog({ suppressions, onClose }: Props) {
  const text = useText()
  const id = useId()
  const readablePhone = useReadablePhone()
  const canLift = useCan()(suppressionsApi.lift.access)
  const [lifted, setLifted] = useState<readonly string[]>([])
  const left = suppressions.filter((one) => !lifted.includes(one.id))
  const done = (one: Suppression) => {
    if (left.length === 1) onClose()
    else setLifted([...lifted, one.id])
  }
  return (
    <DialogFrame
      title={text('suppressions.title')}
      maxWidth="sm"
      isText
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
    >
      {left.map((one) => {
        const { kind, address, reason, createTimestamp, code, said } = one
        const name = kind === 'PHONE' ? readablePhone(address) : address
        const words = [said, code && `(${code})`].filter(Boolean).join(' ')
        return (
          <Box
            key={one.id}
            component="section"
            aria-labelledby={`${id}-${one.id}`}
            sx={{ '& + &': { mt: 3, pt: 3, borderTop: 1, borderColor: 'divider' } }}
          >
            <Box
              component="h3"
              id={`${id}-${one.id}`}
              sx={{ m: 0, mb: 1, fontSize: '1rem', fontWeight: 600, overflowWrap: 'anywhere' }}
            >
              <bdi>{name}</bdi>
            </Box>
            <Facts
              facts={[
                [text('suppressions.cause'), text(`suppressions.reasons.${reason}`)],
                [text('suppressions.since'), <Time key="since" at={createTimestamp} absolute />],
                ...(words ? [[text('suppressions.said'), words] as const] : []),
                [text('suppressions.wayBack'), wayBack(reason)],
              ]}
            />
            {canLift && (
              <AllowAgain
                suppression={one}
                name={name}
                isOnly={left.length === 1}
                onLifted={() => done(one)}
              />
            )}
          </Box>
        )
      })}
    </DialogFrame>
  )
}
