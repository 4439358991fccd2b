import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'

import { calendarFeedApi } from '#contract/calendar-feed/api.ts'
import { call } from '#providers/api.ts'
import { calendarFeed as words } from '#providers/i18n/calendar-feed.ts'
import { messageOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { CopyField } from '#src/kit/form/CopyField.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { Time } from '#src/kit/time/Time.tsx'

const KEY = ['calendar-feed']

function useCalendar() {
  const client = useQueryClient()
  const notify = useNotify()
  const onError = (error: Error) => notify(messageOf(error, words.failed), { type: 'error' })
  const feed = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(calendarFeedApi.get, { signal }) })
  const make = useMutation({
    mutationFn: () => call(calendarFeedApi.create),
    onSuccess: ({ createTimestamp }) => client.setQueryData(KEY, { createTimestamp }),
    onError,
  })
  const end = useMutation({
    mutationFn: () => call(calendarFeedApi.remove),
    onSuccess: () => {
      make.reset()
      client.setQueryData(KEY, { createTimestamp: null })
      notify(words.ended, { type: 'success' })
    },
    onError,
  })
  return { feed, make, end }
}

/** The secret calendar address of the visitor's due times; nothing for external people, who have none. */
export function CalendarCard() {
  return useSession().user?.type === 'EXTERNAL' ? null : <Own />
}

function Own() {
  const { feed, make, end } = useCalendar()
  const [isEnding, setEnding] = useState(false)
  const { data, error, refetch } = feed
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Card title={words.title}>
      <Typography color="textSecondary">{words.lead}</Typography>
      {make.data ? (
        <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
          <Alert severity="info">{words.onlyNow}</Alert>
          <CopyField label={words.address} value={make.data.address} copyLabel={words.copy} />
        </Box>
      ) : (
        data?.createTimestamp && (
          <Typography sx={{ mt: 1 }}>
            {words.since} <Time at={data.createTimestamp} />. {words.lost}
          </Typography>
        )
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 2 }}>
        {data ? (
          <Button variant="outlined" loading={make.isPending} onClick={() => make.mutate()}>
            {data.createTimestamp ? words.makeAnew : words.make}
          </Button>
        ) : (
          <Skeleton variant="rounded" width={140} height={36} />
        )}
        {data?.createTimestamp && (
          <Button color="inherit" onClick={() => setEnding(true)}>
            {words.end}
          </Button>
        )}
      </Box>
      <ConfirmDialog
        open={isEnding}
        title={words.endTitle}
        text={words.endText}
        submitLabel={words.end}
        destructive
        onSubmit={async () => {
          setEnding(false)
          await end.mutateAsync().catch(() => {})
        }}
        onClose={() => setEnding(false)}
      />
    </Card>
  )
}
