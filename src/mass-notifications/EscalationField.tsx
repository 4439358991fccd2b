import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import Skeleton from '@mui/material/Skeleton'
import { type Ref, Suspense } from 'react'

import type { EscalationPlan } from '#contract/notification-escalations/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { useOfferedTypes } from './queries.ts'

const load = () => import('./EscalationEditor.tsx')
const EscalationEditor = lazy(async () => ({ default: (await load()).EscalationEditor }))

/** A plan that fits most: by voice after five minutes, and to the deputy after ten. */
const firstPlan = (hasSms: boolean): EscalationPlan => ({
  steps: [
    { afterMinutes: 5, to: 'PERSON', by: hasSms ? 'VOICE_CALL' : 'EMAIL' },
    { afterMinutes: 10, to: 'DEPUTY', by: hasSms ? 'SMS' : 'EMAIL' },
  ],
  rounds: 1,
  pauseMinutes: 15,
})

interface Props {
  value: EscalationPlan | null
  onChange: (plan: EscalationPlan | null) => void
  problem?: string | undefined
  inputRef?: Ref<HTMLElement>
}

/** The escalation of a question, folded until it is wanted. */
export function EscalationField({ value, onChange, problem, inputRef }: Props) {
  const text = useText()
  const offered = useOfferedTypes()
  return (
    <Box ref={inputRef} tabIndex={-1} sx={{ outline: 'none' }}>
      {value ? (
        <Suspense fallback={<Skeleton variant="rounded" height={168} />}>
          <EscalationEditor value={value} onChange={onChange} isChecked={problem !== undefined} />
        </Suspense>
      ) : (
        <Button
          aria-expanded={false}
          endIcon={<ExpandMoreRounded />}
          onPointerEnter={() => void load()}
          onClick={() => onChange(firstPlan(offered.includes('SMS')))}
          sx={{ minHeight: 44, ml: -1 }}
        >
          {text('massNotifications.escalate')}
        </Button>
      )}
      {problem && <FormHelperText error>{problem}</FormHelperText>}
    </Box>
  )
}
