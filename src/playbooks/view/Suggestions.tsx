import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { createPath, Link as RouterLink } from 'react-router-dom'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useText } from '#src/kit/useText.ts'

import { DraftMark } from '../list/DraftMark.tsx'
import { PlaybookFigures } from '../list/PlaybookFigures.tsx'
import { ReviewMark } from '../list/ReviewMark.tsx'
import { isReviewDue } from '../list/reviewValues.ts'
import {
  BY_LAST_CHANGE,
  BY_LAST_USE,
  BY_REVIEW_DATE,
  type PlaybookFilter,
  type PlaybookSort,
  useCapacity,
  useFirstPlaybooks,
} from '../queries.ts'
import { usePlaybookAddress } from '../usePlaybookRoute.ts'
import { Part } from './Part.tsx'

const DUE: PlaybookFilter = { reviewDue: true }
const WAITING: PlaybookFilter = { selection: 'WAITING' }
const USED: PlaybookFilter = { used: true }
const ANY: PlaybookFilter = {}

function Row({ playbook, canStart }: { playbook: PlaybookSummary; canStart: boolean }) {
  const text = useText()
  const addressOf = usePlaybookAddress()
  const { id, name, draft } = playbook
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 0.5,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Link
          component={RouterLink}
          to={createPath(addressOf(id))}
          state={{ opensHere: true }}
          dir="auto"
          color="inherit"
          sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}
        >
          {name}
        </Link>
        <PlaybookFigures playbook={playbook} />
      </Box>
      {isReviewDue(playbook) && <ReviewMark />}
      {draft && <DraftMark state={draft.state} />}
      {canStart && (
        <Button
          component={RouterLink}
          to={`/incidents/create?playbook=${id}`}
          size="small"
          variant="outlined"
          aria-label={text('playbooks.startOf', { name })}
        >
          {text('playbooks.start')}
        </Button>
      )}
    </Box>
  )
}

interface ListProps {
  title: string
  filter: PlaybookFilter
  sort: PlaybookSort
  canStart: boolean
}

/** The first playbooks of a selection; nothing where there is none. */
function Selection({ title, filter, sort, canStart }: ListProps) {
  const query = useFirstPlaybooks(filter, sort)
  const { data } = query
  if (!data) return <Awaiting queries={[query]} height={96} />
  if (data.length === 0) return null
  return (
    <Part title={title}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.map((playbook) => (
          <Row key={playbook.id} playbook={playbook} canStart={canStart} />
        ))}
      </Box>
    </Part>
  )
}

/** Beside the list while no playbook is open: what was used last, what is due, and a way to begin. */
export function Suggestions({ onStarters }: { onStarters: () => void }) {
  const text = useText()
  const can = useCan()
  const canWrite = can(playbooksAccess.write)
  const canStart = can(incidentsAccess.write)
  const used = useFirstPlaybooks(USED, BY_LAST_USE)
  // An empty list offers the starters itself.
  const { count = 0 } = useCapacity()
  const isUsed = used.data !== undefined && used.data.length > 0
  return (
    <Paper component="section" aria-label={text('playbooks.suggestions')} variant="outlined" sx={{ p: 3 }}>
      <Typography color="textSecondary">{text('playbooks.choose')}</Typography>
      {isUsed && (
        <Selection
          title={text('playbooks.recentlyUsed')}
          filter={USED}
          sort={BY_LAST_USE}
          canStart={canStart}
        />
      )}
      <Selection title={text('playbooks.reviewDue')} filter={DUE} sort={BY_REVIEW_DATE} canStart={false} />
      {canWrite && (
        <Selection
          title={text('playbooks.selections.WAITING')}
          filter={WAITING}
          sort={BY_LAST_CHANGE}
          canStart={false}
        />
      )}
      {used.data && !isUsed && (
        <Selection
          title={text('playbooks.recentlyChanged')}
          filter={ANY}
          sort={BY_LAST_CHANGE}
          canStart={canStart}
        />
      )}
      {canWrite && count > 0 && (
        <Part title={text('playbooks.writeOne')}>
          <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
            {text('playbooks.writeOneText')}
          </Typography>
          <Button variant="outlined" onClick={onStarters}>
            {text('playbooks.useStarters')}
          </Button>
        </Part>
      )}
    </Paper>
  )
}
