import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useNotify } from 'react-admin'

import type { StakeholderLink } from '#contract/stakeholder-links/schema.ts'
import { situationReports } from '#providers/i18n/situation-reports.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { Time } from '#src/kit/time/Time.tsx'

import { useStakeholderActs, useStakeholderLinks } from './queries.ts'

const StakeholderDialog = lazy(async () => ({
  default: (await import('./StakeholderDialog.tsx')).StakeholderDialog,
}))

const words = situationReports.pages

function Row({ link, onWithdraw }: { link: StakeholderLink; onWithdraw: (() => void) | undefined }) {
  const { label, state, expireTimestamp, visitsCount, lastVisitTimestamp } = link
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
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {label}
        </Box>
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {words.states[state]}
          {state === 'OPEN' && (
            <>
              {' '}
              {words.until} <Time at={expireTimestamp} absolute />
            </>
          )}
          {' · '}
          {words.visits(visitsCount)}
          {lastVisitTimestamp !== null && (
            <>
              , {words.last} <Time at={lastVisitTimestamp} />
            </>
          )}
        </Box>
      </Box>
      {onWithdraw && state === 'OPEN' && (
        <Button
          size="small"
          color="inherit"
          aria-label={words.withdrawOf(label)}
          onClick={onWithdraw}
          sx={{ minHeight: { xs: 44, sm: 32 } }}
        >
          {words.withdraw}
        </Button>
      )}
    </Box>
  )
}

/** The pages on which people without an account read the published reports. */
export function StakeholderPages({ incidentId, canMake }: { incidentId: string; canMake: boolean }) {
  const notify = useNotify()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useStakeholderLinks(incidentId)
  const { withdraw } = useStakeholderActs(incidentId)
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<StakeholderLink>()
  const links = data?.pages.flatMap((page) => page.data) ?? []
  // People who only read see that there are pages, if any.
  if (!canMake && links.length === 0) return null
  return (
    <Card
      heading="h3"
      title={words.title}
      line={words.lead}
      side={
        canMake && (
          <Button variant="outlined" onClick={() => setMaking(true)} sx={{ minHeight: { xs: 44, sm: 36 } }}>
            {words.make}
          </Button>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && links.length === 0 && <Box sx={{ color: 'text.secondary' }}>{words.none}</Box>}
      {links.length > 0 && (
        <Box component="ul" aria-label={words.title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {links.map((link) => (
            <Row key={link.id} link={link} onWithdraw={canMake ? () => setLeaving(link) : undefined} />
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
      {leaving && (
        <ConfirmDialog
          open
          title={words.withdrawTitle}
          text={words.withdrawText(leaving.label)}
          submitLabel={words.withdraw}
          onSubmit={async () => {
            await withdraw(leaving.id)
            notify(words.withdrawn, { type: 'success' })
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isMaking && (
        <Suspense>
          <StakeholderDialog incidentId={incidentId} onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </Card>
  )
}
