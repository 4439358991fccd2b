import CheckRounded from '@mui/icons-material/CheckRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ReplayRounded from '@mui/icons-material/ReplayRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useLocaleState, useNotify } from 'react-admin'
import { type ReactNode, useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import type { DeliveryState, Webhook, WebhookDelivery } from '#contract/webhooks/schema.ts'
import { webhookDetail as words } from '#providers/i18n/webhook-detail.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { shortTime } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'

import { PAGE, useDeliveries, useSending } from './queries.ts'

const MARKS = {
  WAITING: { icon: ScheduleRounded, tone: 'warning' },
  DELIVERED: { icon: CheckRounded, tone: 'success' },
  FAILED: { icon: ErrorOutlineRounded, tone: 'error' },
} as const satisfies { readonly [S in DeliveryState]: object }

const ROW = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '116px 116px minmax(0, 2fr) minmax(0, 3fr) 44px' },
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'center',
  py: 1,
} as const
const Cell = ({ children }: { children?: ReactNode }) => (
  <Box
    role="cell"
    sx={{ minWidth: 0, overflowWrap: 'anywhere', '&:empty': { display: { xs: 'none', lg: 'block' } } }}
  >
    {children}
  </Box>
)

/** The outcome of the last attempt, and the time of the next one. */
function DeliveryOutcome({
  delivery: { state, status, problem, attempts, answer, dueTimestamp },
}: {
  delivery: WebhookDelivery
}) {
  return (
    <>
      {problem ?? (status === null ? '' : words.answered(status))} {attempts > 1 && words.attempts(attempts)}{' '}
      {state === 'WAITING' && attempts > 0 && dueTimestamp !== null && (
        <>
          {words.next} <Time at={dueTimestamp} short />
        </>
      )}
      {answer !== null && (
        <Box component="details" sx={{ color: 'text.secondary' }}>
          <Box component="summary" sx={{ cursor: 'pointer', minHeight: 24 }}>
            {words.answer}
          </Box>
          <Box component="pre" dir="auto" sx={{ m: 0, whiteSpace: 'pre-wrap', fontSize: '0.8125rem' }}>
            {answer}
          </Box>
        </Box>
      )}
    </>
  )
}

function DeliveryRow({ delivery, onResend }: { delivery: WebhookDelivery; onResend: () => void }) {
  const { type, state, occurredTimestamp, incidentId, incidentTitle } = delivery
  const { icon, tone } = MARKS[state]
  const [locale] = useLocaleState()
  return (
    <Box role="row" sx={{ ...ROW, borderTop: 1, borderColor: 'divider' }}>
      <Cell>
        <Time at={occurredTimestamp} short />
      </Cell>
      <Cell>
        <StatusChip label={words.states[state]} icon={icon} tone={tone} />
      </Cell>
      <Cell>
        {words.types[type]}
        {incidentId !== null && incidentTitle !== null && (
          <Box>
            <Link component={RouterLink} to={`/incidents/${incidentId}`} dir="auto">
              {incidentTitle}
            </Link>
          </Box>
        )}
      </Cell>
      <Cell>
        <DeliveryOutcome delivery={delivery} />
      </Cell>
      <Cell>
        {state !== 'WAITING' && (
          <Tooltip title={words.resend}>
            <IconButton
              aria-label={words.resendOf(words.types[type], shortTime(locale, Date.parse(occurredTimestamp)))}
              onClick={onResend}
            >
              <ReplayRounded />
            </IconButton>
          </Tooltip>
        )}
      </Cell>
    </Box>
  )
}

/** The last deliveries of a webhook, in pages. */
function Deliveries({ id, onResend }: { id: string; onResend: (deliveryId: string) => void }) {
  const [page, setPage] = useState(1)
  const isPhone = useMediaQuery(PHONE)
  const { data, error, refetch } = useDeliveries(id, page)
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton phone />
  if (data.total === 0) return <Box sx={{ color: 'text.secondary' }}>{words.none}</Box>
  return (
    <>
      <Box role="table" aria-label={words.deliveries}>
        <Box
          role="row"
          sx={{ ...ROW, display: { xs: 'none', lg: 'grid' }, fontSize: '0.8125rem', color: 'text.secondary' }}
        >
          {[words.time, words.state, words.event, words.outcome, words.resend].map((name) => (
            <Box key={name} role="columnheader" sx={{ minWidth: 0, overflow: 'hidden', textWrap: 'nowrap' }}>
              {name === words.resend ? '' : name}
            </Box>
          ))}
        </Box>
        {data.data.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onResend={() => onResend(delivery.id)} />
        ))}
      </Box>
      <Pager page={page} perPage={PAGE} total={data.total} setPage={setPage} phone={isPhone} />
    </>
  )
}

const stateOf = ({ isOn, failures }: Webhook): string =>
  !isOn ? words.off : failures > 0 ? words.failures(failures) : words.on

/** A webhook: what it receives, a test, and its last deliveries. */
export function WebhookDetail({ record: webhook }: { record: Webhook }) {
  const notify = useNotify()
  const { test, resend } = useSending(webhook.id)
  const told = (done: string) => ({
    onSuccess: () => notify(done, { type: 'info' }),
    onError: ({ message }: Error) => notify(message, { type: 'error' }),
  })
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
      {!webhook.isOn && webhook.offTimestamp !== null && (
        <Alert severity="warning">{words.switchedOff}</Alert>
      )}
      <Facts
        facts={[
          [words.address, webhook.url],
          [words.state, stateOf(webhook)],
          [words.events, webhook.events.map((event) => words.types[event]).join(', ')],
          [words.signature, words.signatureText],
        ]}
      />
      <div>
        <Button
          variant="outlined"
          startIcon={<SendRounded />}
          loading={test.isPending}
          onClick={() => test.mutate(undefined, told(words.tested))}
        >
          {words.test}
        </Button>
      </div>
      <section>
        <Typography variant="h3">{words.deliveries}</Typography>
        <Box sx={{ mb: 1, color: 'text.secondary' }}>{words.deliveriesHelp}</Box>
        <Deliveries
          key={webhook.id}
          id={webhook.id}
          onResend={(deliveryId) => resend.mutate(deliveryId, told(words.resent))}
        />
      </section>
    </Box>
  )
}
