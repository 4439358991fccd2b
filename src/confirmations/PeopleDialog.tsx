import NotificationsActiveOutlined from '@mui/icons-material/NotificationsActiveOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'

import type { ConfirmationRequest } from '#contract/confirmations/schema.ts'
import { LIMIT_REACHED } from '#contract/kit/limits.ts'
import { fullName } from '#contract/kit/names.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useConfirming, useRemind } from './queries.ts'

function People({
  request: { id, confirmedCount },
  confirmed,
}: {
  request: ConfirmationRequest
  confirmed: boolean
}) {
  const text = useText()
  const people = useConfirming(id, confirmed, confirmedCount)
  if (!people.data)
    return people.error ? (
      <ErrorState error={people.error} onRetry={() => void people.refetch()} />
    ) : (
      <ListSkeleton phone={false} />
    )
  const rows = people.data.pages.flatMap(({ data }) => data)
  if (rows.length === 0)
    return <EmptyState text={text(confirmed ? 'confirmations.nobodyYet' : 'confirmations.everybody')} />
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {rows.map(({ uuid, firstName, lastName, confirmTimestamp }) => (
          <Box
            key={uuid}
            component="li"
            sx={{ display: 'flex', alignItems: 'center', gap: 1, py: 0.75, overflowWrap: 'anywhere' }}
          >
            <Initials firstName={firstName} lastName={lastName} imageUrl={null} size={24} />
            <Box component="bdi" sx={{ flex: 1, minWidth: 0 }}>
              {fullName({ firstName, lastName })}
            </Box>
            {confirmTimestamp !== null && (
              <Box component="span" sx={{ color: 'text.secondary' }}>
                <Time at={confirmTimestamp} />
              </Box>
            )}
          </Box>
        ))}
      </Box>
      {people.hasNextPage && (
        <Button
          loading={people.isFetchingNextPage}
          onClick={() => void people.fetchNextPage()}
          sx={{ mt: 1 }}
        >
          {text('confirmations.more')}
        </Button>
      )}
    </>
  )
}

interface Props {
  request: ConfirmationRequest
  onClose: () => void
}

/** The people who have not confirmed and those who have, with a reminder to the former. */
export function PeopleDialog({ request, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const panel = useId()
  const [confirmed, setConfirmed] = useState(false)
  const remind = useRemind(request.id)
  const missing = Math.max(0, request.askedCount - request.confirmedCount)
  const press = () =>
    remind.mutate(undefined, {
      onSuccess: ({ reminded }) =>
        notify(text('confirmations.reminded', { smart_count: reminded }), { type: 'success' }),
      // The shell shows how long to wait after a limit.
      onError: (error) => {
        if (error instanceof HttpProblem && error.body.code === LIMIT_REACHED) return
        notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
      },
    })
  return (
    <DialogFrame
      title={text('confirmations.title')}
      maxWidth="xs"
      onClose={onClose}
      head={
        <Tabs
          value={confirmed}
          onChange={(_, value: boolean) => setConfirmed(value)}
          variant="fullWidth"
          aria-label={text('confirmations.title')}
        >
          <Tab
            value={false}
            aria-controls={panel}
            label={text('confirmations.missing', { count: missing })}
          />
          <Tab
            value={true}
            aria-controls={panel}
            label={text('confirmations.done', { count: request.confirmedCount })}
          />
        </Tabs>
      }
      actions={
        <>
          <Button color="inherit" onClick={onClose}>
            {text('confirmations.close')}
          </Button>
          {request.canRemind && missing > 0 && (
            <Button
              variant="contained"
              startIcon={<NotificationsActiveOutlined />}
              loading={remind.isPending}
              onClick={press}
            >
              {text('confirmations.remind', { smart_count: missing })}
            </Button>
          )}
        </>
      }
    >
      <div id={panel} role="tabpanel">
        <People key={String(confirmed)} request={request} confirmed={confirmed} />
      </div>
    </DialogFrame>
  )
}
