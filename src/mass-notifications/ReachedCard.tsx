import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState, useNotify } from 'react-admin'
import { Suspense, useState } from 'react'

import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { CancelWaiting } from './CancelWaiting.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { Deliveries } from './Deliveries.tsx'
import { MissedPeople } from './MissedPeople.tsx'
import { findRecipients } from './queries.ts'

const RecipientsDialog = lazy(async () => ({
  default: (await import('./RecipientsDialog.tsx')).RecipientsDialog,
}))

function Figure({ label, count, tone }: FigureProps) {
  const [locale] = useLocaleState()
  return (
    <Box sx={{ minWidth: 88 }}>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, fontSize: '2rem', fontWeight: 600, lineHeight: 1.25, color: tone }}>
        {formatNumber(locale, count)}
      </Box>
    </Box>
  )
}
interface FigureProps {
  label: string
  count: number
  /** A colour of the theme. */
  tone: string
}

/** Button that saves all recipients with their delivery states, unreached ones first. */
function SaveRecipients({ id }: { id: string }) {
  const text = useText()
  const notify = useNotify()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { blob, fileName } = await call(massNotificationsApi.recipientsFile, { params: { id } })
      saveFile(blob, fileName)
    } catch (error) {
      notify(messageOf(error, text('massNotifications.notSaved')), { type: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" startIcon={<DownloadRounded />} loading={busy} onClick={() => void save()}>
      {text('massNotifications.saveRecipients')}
    </Button>
  )
}

const MISSED = [
  {
    outcome: 'NOT_REACHED',
    label: 'massNotifications.notReached',
    count: 'notReachedCount',
    tone: 'error.main',
  },
  { outcome: 'WAITING', label: 'massNotifications.waiting', count: 'waitingCount', tone: 'warning.main' },
] as const

/** People not reached, people still waiting, and the progress of the messages. */
export function ReachedCard({ notification }: { notification: NotificationDetail }) {
  const text = useText()
  const [opened, setOpened] = useState<(typeof MISSED)[number]>()
  const { id, deliveries, sentCount, reachedCount } = notification
  // Omits the section of waiting people while there are none.
  const missed = MISSED.filter(({ outcome, count }) => outcome === 'NOT_REACHED' || notification[count] > 0)
  return (
    <Card
      title={text('massNotifications.deliveries')}
      side={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 0.5 }}>
          <CancelWaiting notification={notification} />
          <SaveRecipients id={id} />
        </Box>
      }
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
          columnGap: 4,
          rowGap: 2.5,
          alignItems: 'start',
        }}
      >
        <Box
          component="dl"
          sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: { xs: 2, sm: 4 }, rowGap: 1 }}
        >
          {missed.map(({ label, count, tone }) => {
            const people = notification[count]
            return (
              <Figure
                key={label}
                label={text(label)}
                count={people}
                tone={people > 0 ? tone : 'text.primary'}
              />
            )
          })}
          <Figure
            label={text('massNotifications.sent')}
            count={sentCount - reachedCount}
            tone="text.primary"
          />
          {reachedCount > 0 && (
            <Figure label={text('massNotifications.reached')} count={reachedCount} tone="success.main" />
          )}
        </Box>
        {/* On a phone people come before counts of messages. */}
        <Box sx={{ order: { xs: 1, md: 0 } }}>
          <Deliveries deliveries={deliveries} />
          <Box sx={{ mt: 1, fontSize: '0.8125rem', color: 'text.secondary' }}>
            {text('massNotifications.sentHelp')}
          </Box>
        </Box>
        {missed.map((view) => (
          <MissedPeople
            key={view.outcome}
            id={id}
            outcome={view.outcome}
            label={text(view.label)}
            count={notification[view.count]}
            onViewAll={() => setOpened(view)}
          />
        ))}
      </Box>
      <Suspense>
        {opened && (
          <RecipientsDialog
            title={text(opened.label)}
            view="everybody"
            count={notification[opened.count]}
            // Keyed by the count, because people move between the lists while messages are sent.
            queryKey={['mass-notifications', 'recipients', id, opened.outcome, notification[opened.count]]}
            notificationId={id}
            find={findRecipients(id, { outcome: opened.outcome })}
            onClose={() => setOpened(undefined)}
          />
        )}
      </Suspense>
    </Card>
  )
}
