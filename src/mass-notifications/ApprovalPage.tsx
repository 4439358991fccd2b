import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { useLocaleState, useNotify } from 'react-admin'
import { type ReactNode, useState } from 'react'
import { Link as RouterLink, useParams } from 'react-router-dom'

import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type { ApprovalState, NotificationApproval } from '#contract/notification-approvals/schema.ts'
import { usePeople } from '#providers/people.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { useApproval, useApprove, useRefuse, useWithdraw } from './approvalQueries.ts'
import { BelowHistory } from './BelowHistory.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { LevelChip } from './LevelChip.tsx'
import { PlannedSteps } from './PlannedSteps.tsx'
import { formatPrice } from './SmsCost.tsx'

/** Rows above which a message folds. */
const ROWS = 16
const SEVERITIES: { readonly [S in ApprovalState]: 'warning' | 'success' | 'error' | 'info' } = {
  WAITING: 'warning',
  APPROVED: 'success',
  REFUSED: 'error',
  WITHDRAWN: 'info',
  EXPIRED: 'error',
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Box component="dt" sx={{ mb: 0.25, fontSize: '0.8125rem', color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </div>
  )
}

/** The state, with the person who decided and their reason. */
function State({ approval }: { approval: NotificationApproval }) {
  const text = useText()
  const { nameOf } = usePeople()
  const { state, decidedBy, decideTimestamp, reason, expireTimestamp, notificationId } = approval
  return (
    <Alert severity={SEVERITIES[state]} sx={{ overflowWrap: 'anywhere' }}>
      <Box sx={{ fontWeight: 600 }}>{text(`approvals.states.${state}`)}</Box>
      {state === 'WAITING' && (
        <>
          {text('approvals.until')} <Time at={expireTimestamp} absolute />
        </>
      )}
      {decidedBy !== null && decideTimestamp !== null && (
        <>
          <bdi>{nameOf(decidedBy)}</bdi>, <Time at={decideTimestamp} absolute />
        </>
      )}
      {reason !== null && <div dir="auto">{reason}</div>}
      {notificationId !== null && (
        <div>
          <Link component={RouterLink} to={`/mass-notifications/history/${notificationId}`}>
            {text('approvals.openSent')}
          </Link>
        </div>
      )}
    </Alert>
  )
}

type Dialog = 'approve' | 'refuse' | 'withdraw'

/** The acts of the visitor: approving and refusing somebody else's, or withdrawing the own one. */
function Acts({ approval: { id, canDecide, canWithdraw, peopleCount } }: { approval: NotificationApproval }) {
  const text = useText()
  const notify = useNotify()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [reason, setReason] = useState('')
  const approve = useApprove(id)
  const refuse = useRefuse(id)
  const withdraw = useWithdraw(id)
  const act = async () => {
    if (dialog === 'approve') await approve.mutateAsync()
    if (dialog === 'refuse') await refuse.mutateAsync({ reason })
    if (dialog === 'withdraw') await withdraw.mutateAsync()
    if (dialog) notify(text(`approvals.done.${dialog}`), { type: 'success' })
  }
  const button = (name: Dialog, variant: 'contained' | 'outlined') => (
    <Button variant={variant} onClick={() => setDialog(name)} sx={{ minHeight: 44 }}>
      {text(`approvals.acts.${name}`)}
    </Button>
  )
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {canDecide && button('approve', 'contained')}
      {canDecide && button('refuse', 'outlined')}
      {canWithdraw && button('withdraw', 'outlined')}
      {dialog && (
        <ConfirmDialog
          open
          title={text(`approvals.titles.${dialog}`, { smart_count: peopleCount })}
          text={text(`approvals.texts.${dialog}`)}
          submitLabel={text(`approvals.acts.${dialog}`)}
          disabled={dialog === 'refuse' && reason.trim() === ''}
          onSubmit={act}
          onClose={() => setDialog(null)}
        >
          {dialog === 'refuse' && (
            <TextField
              label={text('approvals.reason')}
              required
              multiline
              minRows={2}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              fullWidth
              sx={{ mt: 2 }}
              slotProps={{ htmlInput: { dir: 'auto', maxLength: MEDIUM_TEXT_MAX } }}
            />
          )}
        </ConfirmDialog>
      )}
    </Box>
  )
}

function View({ approval }: { approval: NotificationApproval }) {
  const text = useText()
  const { nameOf } = usePeople()
  const [locale] = useLocaleState()
  const { title, emailMessage, smsMessage, types, level, answers, contactIds, correction, escalation } =
    approval
  const named = [...approval.contactListIds, ...approval.groupNames]
  const facts = { m: 0, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 } as const
  return (
    <>
      {approval.isExercise && (
        <Alert severity="warning" icon={false} sx={{ py: 0, fontWeight: 600 }}>
          {text('asked.exercise')}
        </Alert>
      )}
      <State approval={approval} />
      <Acts approval={approval} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <Card title={text('massNotifications.message')}>
          <Box component="dl" sx={facts}>
            {title !== null && (
              <Fact label={text('massNotifications.subject')}>
                <PlainText text={title} rows={ROWS} />
              </Fact>
            )}
            {emailMessage !== null && (
              <Fact label={text('massNotifications.emailMessage')}>
                <PlainText text={emailMessage} rows={ROWS} />
              </Fact>
            )}
            {smsMessage !== null && (
              <Fact label={text('massNotifications.smsMessage')}>
                <PlainText text={smsMessage} rows={ROWS} />
              </Fact>
            )}
            {correction && (
              <Fact label={text('approvals.correction')}>
                <PlainText text={correction} rows={ROWS} />
              </Fact>
            )}
            {answers && <Fact label={text('approvals.question')}>{answers.join(' · ')}</Fact>}
          </Box>
          {escalation && (
            <Box sx={{ mt: 2 }}>
              <PlannedSteps plan={escalation} />
            </Box>
          )}
        </Card>
        <Card title={text('massNotifications.details')}>
          <Box component="dl" sx={facts}>
            <Fact label={text('approvals.to')}>
              {text('approvals.people', { smart_count: approval.peopleCount })}
              {named.length > 0 && <Box sx={{ color: 'text.secondary' }}>{named.join(', ')}</Box>}
              {contactIds.length > 0 && (
                <Box sx={{ color: 'text.secondary' }}>
                  {text('approvals.contacts', { smart_count: contactIds.length })}
                </Box>
              )}
            </Fact>
            <Fact label={text('massNotifications.level')}>
              <LevelChip level={level} />
            </Fact>
            <Fact label={text('massNotifications.notificationTypes')}>
              {types.map((type) => TYPE_LABELS[type]).join(', ')}
            </Fact>
            {approval.price && (
              <Fact label={text('massNotifications.costTitle')}>
                {text('massNotifications.costAbout', { price: formatPrice(locale, approval.price) })}
              </Fact>
            )}
            {approval.language !== null && (
              <Fact label={text('massNotifications.language')}>
                {new Intl.DisplayNames(['en'], { type: 'language' }).of(approval.language)}
              </Fact>
            )}
            <Fact label={text('approvals.askedBy')}>
              <bdi>{nameOf(approval.requestedBy)}</bdi>, <Time at={approval.createTimestamp} absolute />
            </Fact>
            <Fact label={text('massNotifications.needed')}>{approval.needed}</Fact>
          </Box>
        </Card>
      </Box>
    </>
  )
}

/** A notification that waits for a second person, by the id in the address (decision 107). */
export function ApprovalPage() {
  const text = useText()
  const { id = '' } = useParams()
  const { data, error, refetch } = useApproval(id)
  let content: ReactNode = (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 2 }}>
      <Skeleton variant="rounded" height={72} />
      <Skeleton variant="rounded" height={320} />
    </Box>
  )
  if (data) content = <View approval={data} />
  else if (error)
    content = <ErrorState error={error} text={text('approvals.failed')} onRetry={() => void refetch()} />
  return <BelowHistory title={text('approvals.title')}>{content}</BelowHistory>
}
