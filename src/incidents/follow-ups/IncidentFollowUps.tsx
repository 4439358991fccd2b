import AssignmentTurnedInRounded from '@mui/icons-material/AssignmentTurnedInRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'

import { followUpsAccess } from '#contract/follow-ups/access.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { followUps as words } from '#providers/i18n/follow-ups.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { Card } from '#src/kit/layout/Card.tsx'

import { FollowUpRow } from './FollowUpRow.tsx'
import { useFollowUpsOf } from './queries.ts'

const FollowUpDialog = lazy(async () => ({
  default: (await import('./FollowUpDialog.tsx')).FollowUpDialog,
}))

function List({ incident: { id } }: { incident: Incident }) {
  const mayAdd = useCan()(followUpsAccess.write)
  const query = useFollowUpsOf(id)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const [isAdding, setAdding] = useState(false)
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  // People who only read see that there are follow-ups, if any.
  if (!mayAdd && rows.length === 0) return null
  const add = mayAdd && (
    <Button variant="outlined" onClick={() => setAdding(true)} sx={{ minHeight: { xs: 44, sm: 36 } }}>
      {words.add}
    </Button>
  )
  return (
    <Card heading="h3" title={words.title} side={rows.length > 0 && add}>
      {data === undefined ? (
        <Awaiting queries={[query]} height={120} />
      ) : rows.length === 0 ? (
        <EmptyState icon={<AssignmentTurnedInRounded />} text={words.emptyHere} action={add} />
      ) : (
        <Box component="ol" aria-label={words.title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {rows.map((one) => (
            <FollowUpRow key={one.id} followUp={one} withIncident={false} />
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
      {isAdding && (
        <Suspense>
          <FollowUpDialog incidentId={id} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Card>
  )
}

/** The follow-ups of a resolved incident, below its analysis. External people have none. */
export function IncidentFollowUps({ incident }: { incident: Incident }) {
  const { user } = useSession()
  return user?.type === 'EXTERNAL' ? null : <List incident={incident} />
}
