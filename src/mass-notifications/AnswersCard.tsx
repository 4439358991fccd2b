import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router-dom'

import type { NotificationDetail, Respondent } from '#contract/mass-notifications/schema.ts'
import { STANDING_LABELS } from '#contract/notification-questions/rules.ts'
import type { AskedQuestion, QuestionResult } from '#contract/notification-questions/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { AnswersBar, type AnswersPart } from './AnswersBar.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { type RespondentFilter, useRespondents } from './queries.ts'
import { CloseQuestion } from './CloseQuestion.tsx'
import { RespondentRow } from './RespondentRow.tsx'
import { followUpPath } from './subject.ts'

const AnswerDialog = lazy(async () => ({ default: (await import('./AnswerDialog.tsx')).AnswerDialog }))

/** Characters of a search. */
const SEARCH_MAX = 255

/** Parts of the bar in the order of urgency. */
function partsOf({ answers }: AskedQuestion, { answers: counts, standings }: QuestionResult): AnswersPart[] {
  const given = answers.map(({ label, tone }, n) => ({
    id: `answer ${n}`,
    label,
    tone,
    count: counts[n] ?? 0,
    filter: { answer: n },
  }))
  const missing = (['NOT_REACHED', 'NO_ANSWER'] as const).map((standing) => ({
    id: standing,
    label: STANDING_LABELS[standing],
    tone: standing,
    count: standings[standing],
    filter: { standing },
  }))
  return [
    ...given.filter(({ tone }) => tone === 'ATTENTION'),
    ...missing,
    ...given.filter(({ tone }) => tone !== 'ATTENTION'),
  ]
}

/** State of the question: until when it is open, or who closed it. */
function QuestionState({ question }: { question: AskedQuestion }) {
  const text = useText()
  const { isOpen, endTimestamp, closedBy, closedTimestamp } = question
  return (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {isOpen && (
        <>
          {text('massNotifications.openUntil')} <Time at={endTimestamp} absolute />
        </>
      )}
      {closedTimestamp !== null && (
        <>
          {text('massNotifications.closedBy', { name: closedBy ?? '' })}, <Time at={closedTimestamp} />
        </>
      )}
      {!isOpen && closedTimestamp === null && (
        <>
          {text('massNotifications.ended')} <Time at={endTimestamp} absolute />
        </>
      )}
    </Box>
  )
}

const FOLLOWED = ['ATTENTION', 'NOT_REACHED', 'NO_ANSWER'] as const

interface Props {
  notification: NotificationDetail
  question: AskedQuestion
  result: QuestionResult
}

/** Links that open the send form for the people who call for something. */
function FollowUps({ notification, result: { standings } }: Omit<Props, 'question'>) {
  const text = useText()
  const offered = FOLLOWED.filter((standing) => standings[standing] > 0)
  if (offered.length === 0) return null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {offered.map((standing, n) => (
        <Button
          key={standing}
          component={Link}
          to={followUpPath(notification.id, standing)}
          variant={n === 0 ? 'contained' : 'outlined'}
          size="small"
          sx={{ minHeight: { xs: 44, sm: 32 } }}
        >
          {text(`massNotifications.followUp.${standing}`, { smart_count: standings[standing] })}
        </Button>
      ))}
    </Box>
  )
}

interface ListProps {
  notification: NotificationDetail
  question: AskedQuestion
  filter: RespondentFilter
}

/** The people of the question, by the server's order, a hundred at a time. */
function Respondents({ notification: { id }, question, filter }: ListProps) {
  const text = useText()
  const people = useRespondents(id, filter)
  const [entering, setEntering] = useState<Respondent>()
  const found = useMemo(() => people.data?.pages.flat(), [people.data])
  if (!found)
    return people.error ? (
      <ErrorState error={people.error} onRetry={() => void people.refetch()} />
    ) : (
      <ListSkeleton phone={false} />
    )
  if (found.length === 0) return <EmptyState text={text('massNotifications.noOneHere')} />
  return (
    <>
      <Box
        component="ul"
        aria-label={text('massNotifications.answers')}
        sx={{ m: 0, p: 0, listStyle: 'none' }}
      >
        {found.map((person) => (
          <RespondentRow
            key={person.person}
            notificationId={id}
            person={person}
            question={question}
            onEnter={() => setEntering(person)}
          />
        ))}
      </Box>
      {people.hasNextPage && (
        <Button
          loading={people.isFetchingNextPage}
          onClick={() => void people.fetchNextPage()}
          sx={{ mt: 1 }}
        >
          {text('massNotifications.showMore')}
        </Button>
      )}
      <Suspense>
        {entering && (
          <AnswerDialog
            notificationId={id}
            question={question}
            person={entering}
            onClose={() => setEntering(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Results of a question: first the people who call for attention, then those not reached or without an answer. */
export function AnswersCard({ notification, question, result }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const [part, setPart] = useState<string | null>(null)
  const [q, setQ] = useState('')
  const parts = partsOf(question, result)
  const filter = { ...parts.find(({ id }) => id === part)?.filter, ...(q && { q: q.slice(0, SEARCH_MAX) }) }
  const number = (value: number) => formatNumber(locale, value)
  const { answeredCount, askedCount } = question
  return (
    <Card
      title={text('massNotifications.answers')}
      side={<CloseQuestion id={notification.id} isOpen={question.isOpen} />}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {(notification.isExercise || notification.isTest) && (
          <Alert severity="warning" icon={false} sx={{ py: 0, fontWeight: 600 }}>
            {text(notification.isTest ? 'massNotifications.test' : 'asked.exercise')}
          </Alert>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'baseline' }}>
          <Box component="output" sx={{ fontSize: '1.25rem', fontWeight: 600 }}>
            {text('massNotifications.answeredOf', {
              answered: number(answeredCount),
              asked: number(askedCount),
            })}
          </Box>
          <QuestionState question={question} />
        </Box>
        <AnswersBar parts={parts} chosen={part} onChoose={setPart} />
        <FollowUps notification={notification} result={result} />
        <SearchBox label={text('massNotifications.searchAnswers')} value={q} onSearch={setQ} />
        <Respondents notification={notification} question={question} filter={filter} />
      </Box>
    </Card>
  )
}
