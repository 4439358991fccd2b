import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { useId } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import type { HelpCall, Incident } from '#contract/incidents/schema.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { useCan } from '#providers/useCan.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useHelpCalls } from './helpQueries.ts'

/** Rows of a note before it folds. */
const ROWS = 3

function Row({ call: { notificationId, name, label, note, timestamp } }: { call: HelpCall }) {
  const can = useCan()
  return (
    <Box component="li" sx={{ py: 0.75, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'baseline' }}>
        {can(massNotificationsAccess) ? (
          <Link
            component={RouterLink}
            to={`/mass-notifications/history/${notificationId}`}
            dir="auto"
            sx={{ fontWeight: 600 }}
          >
            {name}
          </Link>
        ) : (
          <Box component="span" dir="auto" sx={{ fontWeight: 600 }}>
            {name}
          </Box>
        )}
        <Box component="bdi" sx={{ color: 'error.main' }}>
          {label}
        </Box>
        <Box component="span" sx={{ ml: 'auto', fontSize: '0.75rem', color: 'text.secondary' }}>
          <Time at={timestamp} short />
        </Box>
      </Box>
      {note !== '' && <PlainText text={note} rows={ROWS} />}
    </Box>
  )
}

/** The people whose answer calls for help, the longest waiting first; nothing without any. */
export function HelpCalls({ incident: { id } }: { incident: Pick<Incident, 'id'> }) {
  const text = useText()
  const heading = useId()
  const calls = useHelpCalls(id)
  if (!calls.data)
    return calls.error ? <ErrorState error={calls.error} onRetry={() => void calls.refetch()} /> : null
  const rows = calls.data.pages.flatMap(({ data }) => data)
  const total = calls.data.pages.at(-1)?.total ?? 0
  if (total === 0) return null
  return (
    <Box
      component="section"
      aria-labelledby={heading}
      sx={{ mb: 1.5, pl: 1.5, borderInlineStart: '4px solid', borderColor: 'error.main' }}
    >
      <Box
        id={heading}
        component="h4"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.75,
          m: 0,
          py: 0.5,
          fontSize: '0.875rem',
          fontWeight: 600,
          color: 'error.main',
        }}
      >
        <ErrorOutlineRounded sx={{ flex: 'none', fontSize: 18 }} />
        {text('incidents.help', { smart_count: total })}
      </Box>
      <Box component="ul" aria-labelledby={heading} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {rows.map((call) => (
          <Row key={`${call.notificationId} ${call.person}`} call={call} />
        ))}
      </Box>
      {calls.hasNextPage && (
        <Button
          size="small"
          loading={calls.isFetchingNextPage}
          onClick={() => void calls.fetchNextPage()}
          sx={{ minHeight: { xs: 44, sm: 32 } }}
        >
          {text('incidents.helpMore', { count: total - rows.length })}
        </Button>
      )}
    </Box>
  )
}
