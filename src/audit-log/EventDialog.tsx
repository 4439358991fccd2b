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
import { type ReactNode, useId } from 'react'

import { eventInWords, fieldInWords, nounInWords, valueInWords } from '#contract/audit-log/rules.ts'
import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Fingerprint } from './Fingerprint.tsx'
import { useActorName } from './useActorName.ts'

function EventFacts({ event }: { event: AuditEvent }) {
  const text = useText()
  const [locale] = useLocaleState()
  const actorName = useActorName()
  const withId = (name: string | null, id: string) => (name === null || name === id ? id : `${name} (${id})`)
  const facts: [string, ReactNode][] = [
    [text('auditLog.time'), <Time key="time" at={event.timestamp} absolute />],
    [
      text('auditLog.who'),
      event.actor.kind === 'person'
        ? withId(actorName(event.actor), event.actor.name)
        : actorName(event.actor),
    ],
    [text('auditLog.noun'), nounInWords(event.noun)],
    [text('auditLog.record'), withId(event.recordName, event.record)],
    ...(event.parent === null
      ? []
      : [[text('auditLog.belongsTo'), withId(event.parentName, event.parent)] as [string, ReactNode]]),
    [text('auditLog.event'), formatNumber(locale, event.sequence)],
  ]
  return <Facts facts={facts} />
}

function Changes({ changes }: Pick<AuditEvent, 'changes'>) {
  const text = useText()
  if (changes.length === 0)
    return <Box sx={{ mt: 2, color: 'text.secondary' }}>{text('auditLog.noChanges')}</Box>
  const isNew = changes.every(({ from }) => from === null)
  return (
    <Box
      component="table"
      aria-label={text('auditLog.changes')}
      sx={{
        mt: 2.5,
        width: '100%',
        tableLayout: 'fixed',
        borderCollapse: 'collapse',
        '& th, & td': {
          p: 1,
          textAlign: 'start',
          verticalAlign: 'top',
          overflowWrap: 'anywhere',
          whiteSpace: 'pre-wrap',
          unicodeBidi: 'plaintext',
          borderTop: 1,
          borderColor: 'divider',
        },
        '& thead th': { border: 0, color: 'text.secondary', fontWeight: 400 },
        '& th:first-of-type': { width: '26%' },
        '& tbody th': { fontWeight: 600 },
      }}
    >
      <thead>
        <tr>
          <th scope="col">{text('auditLog.field')}</th>
          {!isNew && <th scope="col">{text('auditLog.from')}</th>}
          <th scope="col">{text(isNew ? 'auditLog.value' : 'auditLog.to')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row">{fieldInWords(field)}</th>
            {!isNew && <td dir="auto">{valueInWords(field, from)}</td>}
            <td dir="auto">{valueInWords(field, to)}</td>
          </tr>
        ))}
      </tbody>
    </Box>
  )
}

interface Props {
  /** Requests the full event. */
  find: (sequence: number, signal: AbortSignal) => Promise<AuditEvent>
  record: AuditEvent
  onClose: () => void
}

export function EventDialog({ find, record, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const { sequence } = record
  const { data, error, refetch } = useQuery({
    queryKey: ['audit-log', 'event', sequence],
    queryFn: ({ signal }) => find(sequence, signal),
    staleTime: Infinity,
  })
  const waiting = error ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton variant="rounded" height={120} sx={{ mt: 2.5 }} />
  )
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth fullScreen={phone} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{eventInWords(record)}</DialogTitle>
      <DialogContent dividers tabIndex={0}>
        <EventFacts event={record} />
        {data ? <Changes changes={data.changes} /> : waiting}
        <Fingerprint
          label={text('auditLog.fingerprint')}
          help={text('auditLog.fingerprintHelp')}
          value={record.fingerprint}
        />
      </DialogContent>
      <DialogActions sx={{ pt: 2 }}>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
