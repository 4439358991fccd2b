import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import { fullName } from '#contract/kit/names.ts'
import {
  type User,
  USER_HISTORY_MAX,
  USER_HISTORY_SINCE,
  type UserHistoryEntry,
} from '#contract/users/schema.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { exactTime, longDate } from '#src/kit/time/formats.ts'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { useReadablePhone } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'

import { usePeople } from '#providers/people.ts'

const ROWS = [1, 2, 3, 4]

/** Changes of an update by field. */
function Changes({ changes }: Pick<UserHistoryEntry, 'changes'>) {
  const text = useText()
  const readablePhone = useReadablePhone()
  const words = (field: string, value: string | null) => {
    if (!value) return text('grid.nothing')
    if (field === 'role') return text(`app.roles.${value as User['role']}`)
    if (field === 'type') return text(`users.types.${value as User['type']}`)
    return field === 'phoneNumber' || field === 'secondPhoneNumber' ? readablePhone(value) : value
  }
  return (
    <Box component="ul" sx={{ m: 0, mt: 0.5, p: 0, listStyle: 'none', color: 'text.secondary' }}>
      {changes.map(({ field, from, to }) => (
        <Box component="li" key={field} sx={{ overflowWrap: 'anywhere' }}>
          {text('users.changed', {
            field: text(`users.fields.${field}`),
            from: words(field, from),
            to: words(field, to),
          })}
        </Box>
      ))}
    </Box>
  )
}

function Entry({ entry }: { entry: UserHistoryEntry }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { find } = usePeople()
  const actor = entry.actor === null ? undefined : find(entry.actor)
  const by = actor ? fullName(actor) : entry.actor
  return (
    <Box component="li" sx={{ py: 1.25 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 2 }}>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {text(`users.events.${entry.event}`)}
        </Box>
        <Box component="time" dateTime={entry.createTimestamp} sx={{ color: 'text.secondary' }}>
          {exactTime(locale, Date.parse(entry.createTimestamp))}
        </Box>
      </Box>
      {entry.changes.length > 0 && <Changes changes={entry.changes} />}
      {by && (
        <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }} title={entry.actor ?? ''}>
          {text('users.by', { name: by })}
        </Box>
      )}
    </Box>
  )
}

interface Props {
  record: User
  /** Requests the user with the history. */
  ask: (uuid: string, signal: AbortSignal) => Promise<User>
  onClose: () => void
}

/** History of a user: event, time and actor (administration §2.1). */
export function UserHistoryDialog({ record: user, ask, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [locale] = useLocaleState()
  const { data, error, refetch } = useQuery({
    queryKey: ['user-admin', 'history', user.uuid],
    queryFn: ({ signal }) => ask(user.uuid, signal),
    staleTime: 0,
  })
  const history = data?.userHistoryEntities
  const content = () => {
    if (!history)
      return error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'block' }}>
          {ROWS.map((row) => (
            <Skeleton key={row} height={56} />
          ))}
        </Box>
      )
    if (history.length === 0) return text('users.noHistory')
    return (
      <Box
        component="ol"
        sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {history.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Box>
    )
  }
  const since = text('users.historySince', { date: longDate(locale, Date.parse(USER_HISTORY_SINCE)) })
  return (
    <Dialog open onClose={onClose} fullScreen={phone} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{text('users.historyOf', { name: fullName(user) })}</DialogTitle>
      <DialogContent dividers tabIndex={0}>
        {content()}
      </DialogContent>
      <DialogActions sx={{ pt: 2, justifyContent: 'space-between', gap: 2 }}>
        <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {history?.length === USER_HISTORY_MAX
            ? `${since} ${text('users.historyNewest', { count: USER_HISTORY_MAX })}`
            : since}
        </Box>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
