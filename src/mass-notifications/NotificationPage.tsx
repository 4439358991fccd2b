import Box from '@mui/material/Box'
import TextLink from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import { type ReactNode, Suspense } from 'react'
import { Link, useParams } from 'react-router-dom'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { BelowHistory } from './BelowHistory.tsx'
import { LevelChip } from './LevelChip.tsx'
import { usePeople } from '#providers/people.ts'

import { AnswersCard } from './AnswersCard.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { CorrectionCard } from './CorrectionCard.tsx'
import { NotifiedCard } from './NotifiedCard.tsx'
import { useNotification } from './queries.ts'
import { ReachedCard } from './ReachedCard.tsx'

const EscalationCard = lazy(async () => ({ default: (await import('./EscalationCard.tsx')).EscalationCard }))

/** Rows above which a message folds. */
const ROWS = 16

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Box component="dt" sx={{ mb: 0.25, fontSize: '0.8125rem', color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </div>
  )
}

function Words({ words, nothing }: { words: string | null; nothing: string }) {
  return words ? (
    <PlainText text={words} rows={ROWS} />
  ) : (
    <Box component="em" sx={{ color: 'text.secondary' }}>
      {nothing}
    </Box>
  )
}

const facts = { m: 0, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 } as const

function NotificationView({ notification }: { notification: NotificationDetail }) {
  const text = useText()
  const { nameOf } = usePeople()
  const {
    title,
    emailMessage,
    smsMessage,
    types,
    level,
    createTimestamp,
    createdBy,
    approvedBy,
    incidentId,
    question,
    result,
  } = notification
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
      }}
    >
      {question && result && (
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <AnswersCard notification={notification} question={question} result={result} />
        </Box>
      )}
      {(notification.escalation !== null || notification.inOrderMinutes !== null) && (
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <Suspense fallback={<Skeleton variant="rounded" height={128} />}>
            <EscalationCard id={notification.id} />
          </Suspense>
        </Box>
      )}
      <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
        <ReachedCard notification={notification} />
      </Box>
      <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
        <CorrectionCard notification={notification} />
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        <Card title={text('massNotifications.message')}>
          <Box component="dl" sx={facts}>
            <Fact label={text('massNotifications.subject')}>
              <Words words={title} nothing={text('massNotifications.noSubject')} />
            </Fact>
            <Fact label={text('massNotifications.emailMessage')}>
              <Words words={emailMessage} nothing={text('massNotifications.noEmailMessage')} />
            </Fact>
            <Fact label={text('massNotifications.smsMessage')}>
              <Words words={smsMessage} nothing={text('massNotifications.noSmsMessage')} />
            </Fact>
          </Box>
        </Card>
        <NotifiedCard notification={notification} />
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        <Card title={text('massNotifications.details')}>
          <Box component="dl" sx={facts}>
            <Fact label={text('massNotifications.level')}>
              <LevelChip level={level} />
            </Fact>
            <Fact label={text('massNotifications.sentAt')}>
              <Time at={createTimestamp} absolute />
            </Fact>
            <Fact label={text('massNotifications.sentBy')}>
              <bdi>{nameOf(createdBy)}</bdi>
            </Fact>
            {approvedBy !== null && (
              <Fact label={text('massNotifications.approvedBy')}>
                <bdi>{nameOf(approvedBy)}</bdi>
              </Fact>
            )}
            {incidentId !== null && (
              <Fact label={text('massNotifications.incident')}>
                <TextLink component={Link} to={`/incidents/${incidentId}`}>
                  {text('massNotifications.openIncident')}
                </TextLink>
              </Fact>
            )}
            <Fact label={text('massNotifications.notificationTypes')}>
              {types.map((type) => text(`massNotifications.types.${type}`)).join(', ')}
            </Fact>
          </Box>
        </Card>
      </Box>
    </Box>
  )
}

function Loading() {
  const text = useText()
  return (
    <Box
      component="output"
      aria-label={text('kit.loading')}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '3fr 2fr' } }}
    >
      <Skeleton variant="rounded" height={320} />
      <Skeleton variant="rounded" height={264} />
    </Box>
  )
}

/** One notification of the history, by the id in the address (administration §2.1). */
export function NotificationPage() {
  const text = useText()
  const { id = '' } = useParams()
  const { data, error, refetch } = useNotification(id)
  let content: ReactNode = <Loading />
  if (data) content = <NotificationView notification={data} />
  else if (error)
    content = (
      <ErrorState error={error} text={text('massNotifications.readFailed')} onRetry={() => void refetch()} />
    )
  return <BelowHistory title={text('massNotifications.notification')}>{content}</BelowHistory>
}
