import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId } from 'react'

import { ATTEMPT_LABELS } from '#contract/mass-notifications/rules.ts'
import type { MessageAttempt, PersonMessage } from '#contract/mass-notifications/schema.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Delivered } from './Delivered.tsx'
import { usePersonMessages } from './queries.ts'

function Attempt({ attempt }: { attempt: MessageAttempt }) {
  const text = useText()
  const { carrier, providerId, state, reason, tries, createTimestamp, updateTimestamp } = attempt
  const isFinal = state === 'DELIVERED' || state === 'FAILED'
  return (
    <Box component="li" sx={{ py: 0.75, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
        <span>{ATTEMPT_LABELS[isFinal && providerId !== null ? 'SENT' : state]}</span>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          <Time at={createTimestamp} absolute />
        </Box>
      </Box>
      {isFinal && providerId !== null && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
          <span>{ATTEMPT_LABELS[state]}</span>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            <Time at={updateTimestamp} absolute />
          </Box>
        </Box>
      )}
      {tries > 1 && (
        <div>
          {text('massNotifications.attemptTries', { smart_count: tries })}{' '}
          <Time at={updateTimestamp} absolute />
        </div>
      )}
      {reason !== null && <div>{reason}</div>}
      <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        {providerId === null ? carrier : `${carrier}: ${providerId}`}
      </Box>
    </Box>
  )
}

function Message({ message }: { message: PersonMessage }) {
  const text = useText()
  const { type, address, attempts, deputy } = message
  return (
    <Box component="section" sx={{ '& + &': { mt: 2.5 } }}>
      <Box
        component="h3"
        sx={{ m: 0, mb: 0.5, fontSize: '0.875rem', fontWeight: 600, overflowWrap: 'anywhere' }}
      >
        {text('massNotifications.messageTo', { type: text(`massNotifications.types.${type}`), address })}
      </Box>
      {deputy !== null && (
        <Box dir="auto" sx={{ mb: 0.5 }}>
          {text('massNotifications.toDeputy', { name: deputy })}
        </Box>
      )}
      {/* The attempts say why. */}
      <Delivered messages={[attempts.length > 0 ? { ...message, reason: null } : message]} />
      <Box
        component="ol"
        aria-label={text('massNotifications.attempts')}
        sx={{ m: 0, mt: 1, p: 0, listStyle: 'none' }}
      >
        {attempts.map((attempt) => (
          <Attempt key={`${attempt.createTimestamp} ${attempt.providerId}`} attempt={attempt} />
        ))}
      </Box>
      {attempts.length === 0 && (
        <Box sx={{ color: 'text.secondary' }}>{text('massNotifications.noAttempts')}</Box>
      )}
    </Box>
  )
}

interface Props {
  notificationId: string
  person: number
  name: string
  onClose: () => void
}

/** The messages to one person: when each was handed to which carrier, and what became of it. */
export function PersonDialog({ notificationId, person, name, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const { data, error, refetch } = usePersonMessages(notificationId, person)
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth fullScreen={phone} aria-labelledby={titleId}>
      <DialogTitle id={titleId} dir="auto">
        {text('massNotifications.messagesTo', { name })}
      </DialogTitle>
      <DialogContent dividers>
        {!data && !error && <ListSkeleton phone={phone} />}
        {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && <EmptyState text={text('massNotifications.noMessages')} />}
        {data?.map((message) => (
          <Message key={`${message.type} ${message.address} ${message.createTimestamp}`} message={message} />
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
