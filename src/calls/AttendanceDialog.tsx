import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'

import { callsApi } from '#contract/calls/api.ts'
import type { CallRecord } from '#contract/calls/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { call } from '#providers/api.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { clockTime, exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

type Attendance = CallRecord['attendance']

/** The stays of each person, in the order in which they came first. A person on two devices has two stays at a time. */
const staysByPerson = (attendance: Attendance): readonly Attendance[] => [
  ...Map.groupBy(
    attendance.toSorted((a, b) => (a.joinedAt < b.joinedAt ? -1 : 1)),
    ({ person }) => person.uuid,
  ).values(),
]

/** A time of day, with the date on hover. */
function Clock({ at }: { at: string }) {
  const [locale] = useLocaleState()
  const moment = Date.parse(at)
  return (
    <time dateTime={at} title={exactTime(locale, moment)}>
      {clockTime(locale, moment)}
    </time>
  )
}

/** The people who were in a call, each from when to when. */
export function AttendanceDialog({ callId, onClose }: { callId: string; onClose: () => void }) {
  const text = useText()
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', callId, 'attendance'],
    queryFn: ({ signal }) => call(callsApi.one, { params: { id: callId }, signal }),
  })
  return (
    <DialogFrame
      title={text('calls.attendance')}
      maxWidth="sm"
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
    >
      {!data && error && (
        <ErrorState error={error} text={text('calls.attendanceFailed')} onRetry={() => void refetch()} />
      )}
      {!data && !error && [1, 2, 3].map((row) => <Skeleton key={row} height={48} />)}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data &&
          staysByPerson(data.attendance).map((stays) => (
            <Box
              key={stays[0]!.person.uuid}
              component="li"
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                columnGap: 2,
                py: 1,
                '& + &': { borderTop: 1, borderColor: 'divider' },
              }}
            >
              <Box dir="auto" sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
                {fullName(stays[0]!.person)}
              </Box>
              <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
                {stays.map(({ joinedAt, leftAt }) => (
                  <div key={joinedAt}>
                    <Clock at={joinedAt} /> – {leftAt ? <Clock at={leftAt} /> : text('calls.stillIn')}
                  </div>
                ))}
              </Box>
            </Box>
          ))}
      </Box>
    </DialogFrame>
  )
}
