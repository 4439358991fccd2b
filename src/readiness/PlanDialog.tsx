import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { Readiness, TestPlan } from '#contract/readiness/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useText } from '#src/kit/useText.ts'

import { hasFields } from './problems.ts'
import { useChannels, useSetPlan } from './queries.ts'
import { useWhom } from './useWhom.ts'
import { bodyOf, WhomFields } from './WhomFields.tsx'

interface Props {
  board: Readiness
  plan: TestPlan
  onClose: () => void
}

/** Plans a test each month, or ends the plan. */
export function PlanDialog({ board, plan, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const channels = useChannels(true)
  const save = useSetPlan()
  const isNew = plan.version === 0
  const [enabled, setEnabled] = useState(isNew || plan.enabled)
  const { whom, setWhom, problems, check } = useWhom(
    { everybody: plan.everybody, groups: plan.groups, types: isNew ? ['EMAIL'] : plan.types },
    save.error,
  )
  const submit = () => {
    if (!check()) return
    save.mutate(
      { ...bodyOf(whom), enabled, version: plan.version },
      {
        onSuccess: () => {
          notify(text('readiness.planSaved'), { type: 'success' })
          onClose()
        },
      },
    )
  }
  return (
    <DialogFrame
      title={text('readiness.planTitle')}
      lead={<Box sx={{ color: 'text.secondary' }}>{text('readiness.planText')}</Box>}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <>
          <Button color="inherit" onClick={onClose}>
            {text('kit.cancel')}
          </Button>
          <Button variant="contained" loading={save.isPending} onClick={submit}>
            {text('readiness.planSubmit')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {save.error && !hasFields(save.error) && (
          <Alert severity="error">{messageOf(save.error, text('kit.wentWrong'))}</Alert>
        )}
        <FormControlLabel
          control={<Switch checked={enabled} onChange={(_, checked) => setEnabled(checked)} />}
          label={text('readiness.planOn')}
        />
        <WhomFields
          value={whom}
          onChange={setWhom}
          offered={channels.data?.types ?? ['EMAIL']}
          people={board.people}
          problems={problems}
        />
      </Box>
    </DialogFrame>
  )
}
