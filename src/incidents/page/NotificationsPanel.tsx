import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useLocaleState } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'

import type { Incident } from '#contract/incidents/schema.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import type { IncidentNotification } from '#contract/mass-notifications/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useCan } from '#providers/useCan.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { HelpCalls } from './HelpCalls.tsx'
import { useIncidentNotifications } from './helpQueries.ts'
import { Card } from '#src/kit/layout/Card.tsx'

const MARKS = {
  GOOD: { icon: CheckCircleOutlineRounded, color: 'success' },
  NEUTRAL: { icon: RadioButtonUncheckedRounded, color: 'action' },
  ATTENTION: { icon: ErrorOutlineRounded, color: 'error' },
} as const

/** Counts of the answers: those that call for attention first, people without an answer last. */
function Counts({ question }: { question: NonNullable<IncidentNotification['question']> }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { answers, askedCount, isOpen } = question
  const answered = answers.reduce((sum, { count }) => sum + count, 0)
  const ordered = [
    ...answers.filter(({ tone }) => tone === 'ATTENTION'),
    ...answers.filter(({ tone }) => tone !== 'ATTENTION'),
  ]
  const number = (count: number) => formatNumber(locale, count)
  return (
    <Box
      component="ul"
      aria-label={text('incidents.answers')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        rowGap: 0.25,
        m: 0,
        mt: 0.5,
        p: 0,
        listStyle: 'none',
      }}
    >
      {ordered.map(({ label, tone, count }) => {
        const { icon: Icon, color } = MARKS[tone]
        return (
          <Box
            key={label}
            component="li"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0, fontWeight: 600 }}
          >
            <Icon color={count > 0 ? color : 'disabled'} sx={{ flex: 'none', fontSize: 18 }} />
            <Box component="bdi" sx={{ fontWeight: 400, overflowWrap: 'anywhere' }}>
              {label}
            </Box>
            {number(count)}
          </Box>
        )
      })}
      <Box component="li" sx={{ color: 'text.secondary' }}>
        {text(isOpen ? 'incidents.noAnswerYet' : 'incidents.noAnswer', {
          count: number(Math.max(0, askedCount - answered)),
        })}
      </Box>
    </Box>
  )
}

function Row({ notification }: { notification: IncidentNotification }) {
  const text = useText()
  const can = useCan()
  const { nameOf } = usePeople()
  const { id, title, message, notifiedCount, createdBy, createTimestamp, question } = notification
  const name = title || message
  return (
    <Box component="li" sx={{ py: 1, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
      {can(massNotificationsAccess) ? (
        <Link
          component={RouterLink}
          to={`/mass-notifications/history/${id}`}
          dir="auto"
          sx={{ fontWeight: 600 }}
        >
          {name}
        </Link>
      ) : (
        <Box dir="auto" sx={{ fontWeight: 600 }}>
          {name}
        </Box>
      )}
      <Box sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
        {text('incidents.sentTo', { smart_count: notifiedCount })} · <bdi>{nameOf(createdBy)}</bdi> ·{' '}
        <Time at={createTimestamp} clock />
      </Box>
      {question && <Counts question={question} />}
    </Box>
  )
}

interface Props {
  incident: Incident
  /** FIRST leads the story where somebody calls for help; LATER stands below the latest update. */
  place: 'FIRST' | 'LATER'
}

const callsForHelp = ({ question }: IncidentNotification): boolean =>
  question?.answers.some(({ tone, count }) => tone === 'ATTENTION' && count > 0) ?? false

/** The notifications about an incident with their answers; nothing without any. */
export function NotificationsPanel({ incident, place }: Props) {
  const text = useText()
  // On wide screens the team status beside the story leads with those who call for help.
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up('lg'), { noSsr: true })
  const found = useIncidentNotifications(incident.id)
  const rows = found.data?.pages.flatMap(({ data }) => data) ?? []
  const needsHelp = !isWide && rows.some(callsForHelp)
  if ((place === 'FIRST') !== needsHelp) return null
  const failed = !found.data && found.error
  if (rows.length === 0 && !failed) return null
  return (
    <Card heading="h3" title={text('incidents.notifications')}>
      {failed && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {needsHelp && <HelpCalls incident={incident} />}
      <Box
        component="ul"
        sx={{ m: 0, p: 0, listStyle: 'none', '& > :first-of-type': { borderTop: 0, pt: 0 } }}
      >
        {rows.map((notification) => (
          <Row key={notification.id} notification={notification} />
        ))}
      </Box>
      {found.hasNextPage && (
        <Button
          size="small"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
          sx={{ minHeight: { xs: 44, sm: 32 } }}
        >
          {text('incidents.moreNotifications')}
        </Button>
      )}
    </Card>
  )
}
