import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { useLocaleState } from 'react-admin'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import type { CommunicationTest, TestPlan } from '#contract/readiness/schema.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { usePlan, useTests } from './queries.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A duration in its largest unit. */
export function useDuration(): (seconds: number) => string {
  const text = useText()
  return (seconds) => {
    if (seconds < MINUTE) return text('readiness.seconds', { count: seconds })
    if (seconds < HOUR) return text('readiness.minutes', { count: Math.round(seconds / MINUTE) })
    if (seconds < DAY) return text('readiness.hours', { count: Math.round(seconds / HOUR) })
    return text('readiness.daysShort', { count: Math.round(seconds / DAY) })
  }
}

/** The share of answers as a bar and in words. */
export function Answered({ answered, asked }: Pick<CommunicationTest, 'answered' | 'asked'>) {
  const text = useText()
  const [locale] = useLocaleState()
  const share = asked === 0 ? 0 : answered / asked
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Box
        aria-hidden
        sx={{
          flex: '1 1 80px',
          height: 8,
          minWidth: 60,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          overflow: 'hidden',
        }}
      >
        <Box
          sx={{
            width: `${share * 100}%`,
            height: '100%',
            bgcolor: 'success.main',
            forcedColorAdjust: 'none',
          }}
        />
      </Box>
      <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
        <Box component="strong" sx={{ fontWeight: 600 }}>
          {new Intl.NumberFormat(locale, { style: 'percent' }).format(share)}
        </Box>{' '}
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {text('readiness.answeredOf', {
            answered: formatNumber(locale, answered),
            asked: formatNumber(locale, asked),
          })}
        </Box>
      </Box>
    </Box>
  )
}

const ROW = {
  display: 'grid',
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr)',
    md: 'minmax(0, 4fr) minmax(0, 4fr) 100px minmax(0, 3fr) 96px',
  },
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'center',
} as const

interface RowProps {
  test: CommunicationTest
  canNotify: boolean
  onOpen: (test: CommunicationTest) => void
}
const Cell = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box role="cell" sx={{ minWidth: 0 }}>
    <Box
      component="span"
      sx={{ display: { xs: 'inline', md: 'none' }, mr: 1, fontSize: '0.8125rem', color: 'text.secondary' }}
    >
      {label}
    </Box>
    {children}
  </Box>
)

function TestRow({ test, canNotify, onOpen }: RowProps) {
  const text = useText()
  const duration = useDuration()
  const { groupNames, createTimestamp, isPlanned, state, problem, notificationId, approvalId, notReached } =
    test
  const whom = groupNames.length === 0 ? text('readiness.everybodyShort') : groupNames.join(', ')
  return (
    <Box role="row" sx={{ ...ROW, py: 1.25, borderTop: 1, borderColor: 'divider' }}>
      <Box role="cell" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {notificationId === null || !canNotify ? (
            <Time at={createTimestamp} />
          ) : (
            <Link component={RouterLink} to={`/mass-notifications/history/${notificationId}`}>
              <Time at={createTimestamp} />
            </Link>
          )}
        </Box>
        <Box dir="auto" sx={{ color: 'text.secondary' }}>
          {[whom, ...(isPlanned ? [text('readiness.planned')] : [])].join(' · ')}
        </Box>
      </Box>
      {state === 'SENT' ? (
        <>
          <Cell label={text('readiness.answered')}>
            <Answered {...test} />
          </Cell>
          <Cell label={text('readiness.median')}>
            {test.medianSeconds === null ? '–' : duration(test.medianSeconds)}
          </Cell>
          <Cell label={text('readiness.missed')}>
            {notReached > 0 && canNotify ? (
              <Button
                component={RouterLink}
                to={`/mass-notifications/send?followUp=${notificationId}&standing=NOT_REACHED`}
                size="small"
                sx={{ minHeight: { xs: 44, md: 32 } }}
              >
                {text('readiness.notifyMissed', { smart_count: notReached })}
              </Button>
            ) : notReached > 0 ? (
              notReached
            ) : (
              text('readiness.noneMissed')
            )}
          </Cell>
          <Box role="cell">
            <Button size="small" onClick={() => onOpen(test)} sx={{ minHeight: { xs: 44, md: 32 } }}>
              {text('readiness.byGroup')}
            </Button>
          </Box>
        </>
      ) : (
        <Box role="cell" sx={{ gridColumn: { md: '2 / -1' }, minWidth: 0 }}>
          <Box component="strong" sx={{ fontWeight: 600 }}>
            {text(`readiness.states.${state}`)}
          </Box>{' '}
          {problem}{' '}
          {state === 'WAITING' && canNotify && (
            <Link component={RouterLink} to={`/mass-notifications/approvals/${approvalId}`}>
              {text('readiness.openApproval')}
            </Link>
          )}
        </Box>
      )}
    </Box>
  )
}

/** The plan in a line: the month of the next test, and what is wrong with the plan. */
function PlanLine({ plan }: { plan: TestPlan }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { nextMonth, everybody, groups, groupsGone } = plan
  if (nextMonth === null) return text('readiness.planOff')
  const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${nextMonth}-01T00:00:00Z`),
  )
  const whom = everybody ? text('readiness.everybodyShort') : groups.map(({ name }) => name).join(', ')
  return (
    <>
      {text('readiness.planNext', { month, whom })}
      {groupsGone > 0 && (
        <Alert severity="warning" sx={{ mt: 1 }}>
          {text('readiness.planGone', { smart_count: groupsGone })}
        </Alert>
      )}
    </>
  )
}

interface Props {
  /** True where the organisation may test. */
  isOffered: boolean
  /** True for a visitor who may send tests. */
  canTest: boolean
  onStart: () => void
  onPlan: (plan: TestPlan) => void
  onOpen: (test: CommunicationTest) => void
}

/** The communication tests: the plan, and the newest ones with their results. */
export function TestsCard({ isOffered, canTest, onStart, onPlan, onOpen }: Props) {
  const text = useText()
  const { data: plan } = usePlan()
  const { data: tests, error, refetch } = useTests()
  const headings = ['sentAt', 'answered', 'median', 'missed'] as const
  return (
    <Card
      title={text('readiness.tests')}
      line={isOffered ? plan && <PlanLine plan={plan} /> : text('readiness.notSubscribed')}
      side={
        canTest && (
          <>
            <Button
              variant="outlined"
              disabled={!plan}
              onClick={() => plan && onPlan(plan)}
              sx={{ minHeight: 44 }}
            >
              {text('readiness.plan')}
            </Button>
            <Button variant="contained" onClick={onStart} sx={{ minHeight: 44 }}>
              {text('readiness.start')}
            </Button>
          </>
        )
      }
    >
      {!tests && !error && <ListSkeleton phone />}
      {!tests && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {tests?.length === 0 && isOffered && <EmptyState text={text('readiness.testsEmpty')} />}
      {tests && tests.length > 0 && (
        <Box role="table" aria-label={text('readiness.tests')}>
          <Box
            role="row"
            sx={{
              ...ROW,
              display: { xs: 'none', md: 'grid' },
              pb: 0.5,
              color: 'text.secondary',
              fontWeight: 600,
            }}
          >
            {headings.map((heading) => (
              <span role="columnheader" key={heading}>
                {text(`readiness.${heading}`)}
              </span>
            ))}
            <Box role="columnheader" sx={{ visibility: 'hidden', px: 1 }}>
              {text('readiness.byGroup')}
            </Box>
          </Box>
          {tests.map((test) => (
            <TestRow key={test.id} test={test} canNotify={canTest} onOpen={onOpen} />
          ))}
        </Box>
      )}
    </Card>
  )
}
