import LockOpenRounded from '@mui/icons-material/LockOpenRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'

import { organisationAccessApi } from '#contract/organisation-access/api.ts'
import { AccessReason, type OrganisationAccess } from '#contract/organisation-access/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { useText } from '#src/kit/useText.ts'

const keyOf = (id: string) => ['organisation-access', id] as const

/** Asks staff for a reason before it shows an organisation's data. */
export function AccessGate({ id, children }: { id: string; children: ReactNode }) {
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => call(organisationAccessApi.current, { params: { id }, signal }),
  })
  const { data: access, refetch } = query
  if (access === undefined)
    return (
      <Box sx={{ p: 3 }}>
        <Awaiting queries={[query]} height={320} />
      </Box>
    )
  if (access === null) return <ReasonForm id={id} />
  return (
    <>
      <Granted access={access} onOver={() => void refetch()} />
      {children}
    </>
  )
}

/** The reason for the access, and its remaining time. */
function Granted({ access, onOver }: { access: OrganisationAccess; onOver: () => void }) {
  const text = useText()
  const until = Date.parse(access.expiresAt)
  const isOver = useSecondsUntil(until) === 0
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver, onOver])
  return (
    <Box sx={{ px: { xs: 2, md: 3 }, pt: 2 }}>
      <Alert severity="info" icon={<LockOpenRounded />}>
        <span dir="auto">{text('management.access.open', { reason: access.reason })}</span>{' '}
        <Countdown until={until} text={text('management.access.left')} />
      </Alert>
    </Box>
  )
}

function ReasonForm({ id }: { id: string }) {
  const text = useText()
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const open = async (event: FormEvent) => {
    event.preventDefault()
    const checked = AccessReason.safeParse({ reason })
    if (!checked.success) return setProblem(checked.error.issues[0]?.message)
    setBusy(true)
    setProblem(undefined)
    try {
      const access = await call(organisationAccessApi.grant, { params: { id }, body: checked.data })
      queryClient.setQueryData(keyOf(id), access)
    } catch (error) {
      setProblem(messageOf(error, text('management.access.failed')))
      setBusy(false)
    }
  }
  return (
    <Box sx={{ p: { xs: 2, md: 3 }, display: 'grid', justifyItems: 'center' }}>
      <Paper
        variant="outlined"
        component="form"
        noValidate
        onSubmit={(event: FormEvent) => void open(event)}
        sx={{ display: 'grid', gap: 2, width: '100%', maxWidth: 560, p: 3, mt: { md: 4 } }}
      >
        <Typography variant="h2">{text('management.access.title')}</Typography>
        <Typography sx={{ color: 'text.secondary' }}>{text('management.access.text')}</Typography>
        <TextField
          autoFocus
          multiline
          minRows={2}
          label={text('management.access.reason')}
          value={reason}
          onChange={({ target }) => {
            setReason(target.value)
            setProblem(undefined)
          }}
          error={problem !== undefined}
          helperText={problem}
          required
          slotProps={{ htmlInput: { dir: 'auto' } }}
        />
        <Button type="submit" variant="contained" loading={busy} sx={{ justifySelf: 'end' }}>
          {text('management.access.submit')}
        </Button>
      </Paper>
    </Box>
  )
}
