import HourglassEmptyRounded from '@mui/icons-material/HourglassEmptyRounded'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'

import { usePeople } from '#providers/people.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useWaitingApprovals } from './approvalQueries.ts'
import { Card } from '#src/kit/layout/Card.tsx'
import { LevelChip } from './LevelChip.tsx'

/** The newest notifications that wait for approval; nothing without any. */
export function ApprovalsCard() {
  const text = useText()
  const { nameOf } = usePeople()
  const { data } = useWaitingApprovals()
  if (!data || data.total === 0) return null
  const rest = data.total - data.data.length
  return (
    <Card title={text('approvals.waiting', { smart_count: data.total })}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.data.map(({ id, title, smsMessage, level, peopleCount, requestedBy, createTimestamp }) => (
          <Box
            key={id}
            component="li"
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 1.5,
              rowGap: 0.5,
              py: 1,
              '& + &': { borderTop: 1, borderColor: 'divider' },
            }}
          >
            <HourglassEmptyRounded color="warning" sx={{ flex: 'none' }} />
            <Box sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
              <Link
                component={RouterLink}
                to={`/mass-notifications/approvals/${id}`}
                dir="auto"
                sx={{ fontWeight: 600 }}
              >
                {title || smsMessage}
              </Link>
              <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                {text('approvals.people', { smart_count: peopleCount })} · <bdi>{nameOf(requestedBy)}</bdi> ·{' '}
                <Time at={createTimestamp} />
              </Box>
            </Box>
            <LevelChip level={level} />
          </Box>
        ))}
      </Box>
      {rest > 0 && (
        <Box sx={{ pt: 1, color: 'text.secondary' }}>{text('approvals.older', { smart_count: rest })}</Box>
      )}
    </Card>
  )
}
