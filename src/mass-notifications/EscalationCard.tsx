import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import { isolated } from '#contract/kit/direction.ts'
import { SKIP_LABELS } from '#contract/notification-escalations/rules.ts'
import type { Escalation, TakenStep } from '#contract/notification-escalations/schema.ts'
import { escalations as words } from '#providers/i18n/escalations.ts'
import { usePeople } from '#providers/people.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { Time } from '#src/kit/time/Time.tsx'

import { Card } from '#src/kit/layout/Card.tsx'
import { useEscalation, useStopEscalation } from './escalationQueries.ts'

const channelsOf = (types: TakenStep['types']): string => types.map((type) => words.channels[type]).join(', ')

/** The next step, or the end. */
function State({ escalation: { next, ended, endedBy, endedTimestamp, steps } }: { escalation: Escalation }) {
  const { nameOf } = usePeople()
  if (next)
    return (
      <Box component="output" sx={{ display: 'block', fontSize: '1rem' }}>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {words.next}: {words.nextWords(channelsOf(next.types), next.asked, next.people)}
        </Box>{' '}
        {words.at} <Time at={next.at} absolute />
        {next.round > 1 && `, ${words.round(next.round)}`}
      </Box>
    )
  const isInOrder = steps.some(({ asked }) => asked === 'NEXT')
  const how = ended === 'ANSWERED' && isInOrder ? 'ANSWERED_IN_ORDER' : ended
  return (
    <Box component="output" sx={{ display: 'block' }}>
      <Box component="span" sx={{ fontWeight: 600 }}>
        {how ? words.ended[how] : words.nothingNext}
      </Box>
      {endedTimestamp !== null && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {' '}
          {endedBy !== null && `${words.endedBy(nameOf(endedBy))}, `}
          <Time at={endedTimestamp} absolute />
        </Box>
      )}
    </Box>
  )
}

/** A step that was taken, with the people whom it did not ask. */
function Step({ step }: { step: TakenStep }) {
  const { number, round, asked, types, people, skips, skipped, createTimestamp } = step
  const more = skipped - skips.length
  return (
    <Box component="li" sx={{ py: 1, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
        <span>
          {words.taken(number + 1)}
          {round > 1 && `, ${words.round(round)}`}: {words.nextWords(channelsOf(types), asked, people)}
        </span>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          <Time at={createTimestamp} absolute />
        </Box>
      </Box>
      {skipped > 0 && (
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {words.notAsked(skipped)}:{' '}
          {skips.map(({ name, reason }) => `${isolated(name)} (${SKIP_LABELS[reason]})`).join('; ')}
          {more > 0 && ` ${words.more(more)}`}
        </Box>
      )}
    </Box>
  )
}

/** The escalation of a notification: what comes next, what was done, and the press that stops it. */
export function EscalationCard({ id }: { id: string }) {
  const notify = useNotify()
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch } = useEscalation(id)
  const { mutateAsync: stop } = useStopEscalation(id)
  return (
    <Card
      title={words.title}
      side={
        data?.next && (
          <Button size="small" onClick={() => setAsking(true)} sx={{ minHeight: { xs: 44, sm: 32 } }}>
            {words.stop}
          </Button>
        )
      }
    >
      {data === undefined &&
        (error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton variant="rounded" height={48} />
        ))}
      {data && (
        <>
          <State escalation={data} />
          {data.steps.length === 0 ? (
            <Box sx={{ mt: 1, color: 'text.secondary' }}>{words.noSteps}</Box>
          ) : (
            <Box component="ol" aria-label={words.steps} sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none' }}>
              {data.steps.map((step) => (
                <Step key={step.number} step={step} />
              ))}
            </Box>
          )}
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        title={words.stopTitle}
        text={words.stopText}
        submitLabel={words.stop}
        onSubmit={async () => {
          await stop()
          notify(words.stopped, { type: 'success' })
        }}
        onClose={() => setAsking(false)}
      />
    </Card>
  )
}
