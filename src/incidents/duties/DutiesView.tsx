import AlarmRounded from '@mui/icons-material/AlarmRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Suspense, useState } from 'react'

import { dutiesAccess } from '#contract/duties/access.ts'
import type { DutyClocks } from '#contract/duties/schema.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { Card } from '#src/kit/layout/Card.tsx'

import { ClockCard } from './ClockCard.tsx'
import { useClocks } from './queries.ts'

const StartDialog = lazy(async () => ({ default: (await import('./StartDialog.tsx')).StartDialog }))

interface Props extends DutyClocks {
  incidentId: string
  canWrite: boolean
}

function Clocks({ incidentId, canWrite, clocks, startable }: Props) {
  const [isStarting, setStarting] = useState(false)
  const hasNone = clocks.length === 0
  const start = canWrite && startable.length > 0 && (
    <Button
      variant={hasNone ? 'contained' : 'outlined'}
      onClick={() => setStarting(true)}
      sx={{ minHeight: { xs: 44, sm: 36 } }}
    >
      {hasNone ? words.start : words.startMore}
    </Button>
  )
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Card heading="h3" title={words.title} side={!hasNone && start}>
        {hasNone && <EmptyState icon={<AlarmRounded />} text={words.empty} action={start} />}
        {canWrite && startable.length === 0 && <Typography color="textSecondary">{words.none}</Typography>}
      </Card>
      {clocks.map((one) => (
        <ClockCard key={one.id} clock={one} canWrite={canWrite} />
      ))}
      {isStarting && (
        <Suspense>
          <StartDialog
            incidentId={incidentId}
            startable={startable}
            aware={clocks[0]?.awareTimestamp ?? null}
            onClose={() => setStarting(false)}
          />
        </Suspense>
      )}
    </Box>
  )
}

/** The clocks of the duties to report an incident, by due time. */
export function DutiesView({ incident: { id } }: { incident: Incident }) {
  const canWrite = useCan()(dutiesAccess.write)
  const query = useClocks(id)
  const { data } = query
  if (data === undefined)
    return (
      <Card heading="h3" title={words.title}>
        <Awaiting queries={[query]} height={240} />
      </Card>
    )
  return <Clocks incidentId={id} canWrite={canWrite} {...data} />
}
