import GavelRounded from '@mui/icons-material/GavelRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'

import { incidentDecisionsApi } from '#contract/incident-decisions/api.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { decisions as words } from '#providers/i18n/decisions.ts'
import { useCan } from '#providers/useCan.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'

import { Card } from '#src/kit/layout/Card.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { DecisionItem } from './DecisionItem.tsx'
import { useDecisions } from './queries.ts'

/** The decisions of an incident, newest first. */
export function Decisions({ incident: { id } }: { incident: Incident }) {
  const can = useCan()
  const query = useDecisions(id)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const [isProposing, setProposing] = useState(false)
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const propose = can(incidentDecisionsApi.propose.access) && (
    <Button
      variant={rows.length === 0 ? 'contained' : 'outlined'}
      onClick={() => setProposing(true)}
      sx={{ minHeight: { xs: 44, sm: 36 } }}
    >
      {words.propose}
    </Button>
  )
  return (
    <Card heading="h3" title={words.title} side={rows.length > 0 && propose}>
      {data === undefined ? (
        <Awaiting queries={[query]} height={240} />
      ) : rows.length === 0 ? (
        <EmptyState icon={<GavelRounded />} text={words.empty} action={propose} />
      ) : (
        <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {rows.map((decision) => (
            <DecisionItem key={decision.id} decision={decision} />
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button
          variant="outlined"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          sx={{ display: 'block', mx: 'auto', mt: 1, minHeight: { xs: 44, sm: 36 } }}
        >
          {words.more}
        </Button>
      )}
      {isProposing && <DecisionForm incidentId={id} onClose={() => setProposing(false)} />}
    </Card>
  )
}
