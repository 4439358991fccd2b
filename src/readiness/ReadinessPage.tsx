import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { useLocaleState } from 'react-admin'
import { Suspense, useState } from 'react'

import { communicationTestAccess } from '#contract/readiness/access.ts'
import { countToMend } from '#contract/readiness/rules.ts'
import type { CommunicationTest, Readiness, TestPlan } from '#contract/readiness/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { GroupsCard } from './GroupsCard.tsx'
import { Lines } from './Lines.tsx'
import { type PeopleFilter, useBoard } from './queries.ts'
import { TestsCard } from './TestsCard.tsx'

const PeopleDialog = lazy(async () => ({ default: (await import('./PeopleDialog.tsx')).PeopleDialog }))
const TestDialog = lazy(async () => ({ default: (await import('./TestDialog.tsx')).TestDialog }))
const PlanDialog = lazy(async () => ({ default: (await import('./PlanDialog.tsx')).PlanDialog }))
const ActivateDialog = lazy(async () => ({ default: (await import('./ActivateDialog.tsx')).ActivateDialog }))
const TestGroupsDialog = lazy(async () => ({
  default: (await import('./TestGroupsDialog.tsx')).TestGroupsDialog,
}))

type Opened =
  | { readonly kind: 'people'; readonly title: string; readonly filter: PeopleFilter }
  | { readonly kind: 'plan'; readonly plan: TestPlan }
  | { readonly kind: 'groups'; readonly test: CommunicationTest }
  | { readonly kind: 'test' | 'activate' }

function OpenDialog({ opened, board, onClose }: { opened: Opened; board: Readiness; onClose: () => void }) {
  if (opened.kind === 'people')
    return <PeopleDialog title={opened.title} filter={opened.filter} onClose={onClose} />
  if (opened.kind === 'plan') return <PlanDialog board={board} plan={opened.plan} onClose={onClose} />
  if (opened.kind === 'groups') return <TestGroupsDialog test={opened.test} onClose={onClose} />
  if (opened.kind === 'activate') return <ActivateDialog count={board.invitable} onClose={onClose} />
  return <TestDialog board={board} onClose={onClose} />
}

function Board({ board }: { board: Readiness }) {
  const text = useText()
  const [locale] = useLocaleState()
  const can = useCan()
  const [opened, setOpened] = useState<Opened | null>(null)
  const count = countToMend(board)
  const lead = text('readiness.lead', {
    proved: formatNumber(locale, board.proved),
    people: formatNumber(locale, board.people),
    days: board.proofDays,
  })
  return (
    <>
      <Card
        title={count === 0 ? text('readiness.ready') : text('readiness.toMend', { smart_count: count })}
        line={lead}
      >
        <Lines
          board={board}
          onPress={(press) =>
            setOpened(
              typeof press === 'string'
                ? { kind: press }
                : { kind: 'people', title: text(`readiness.people.${press.gap}`), filter: press },
            )
          }
        />
      </Card>
      <TestsCard
        isOffered={board.canTest}
        canTest={board.canTest && can(communicationTestAccess)}
        onStart={() => setOpened({ kind: 'test' })}
        onPlan={(plan) => setOpened({ kind: 'plan', plan })}
        onOpen={(test) => setOpened({ kind: 'groups', test })}
      />
      <GroupsCard
        days={board.proofDays}
        onOpen={(title, filter) => setOpened({ kind: 'people', title, filter })}
      />
      {opened && (
        <Suspense>
          <OpenDialog opened={opened} board={board} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

function Loading() {
  const text = useText()
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 2 }}>
      <Skeleton variant="rounded" height={420} />
      <Skeleton variant="rounded" height={200} />
    </Box>
  )
}

/** The board of readiness: what a crisis would find wanting, each with the press that mends it. */
export function ReadinessPage() {
  const { data, error, refetch } = useBoard()
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 2,
        maxWidth: 1080,
        mx: 'auto',
        p: { xs: 2, md: 3 },
      }}
    >
      {data ? (
        <Board board={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Box>
  )
}
