import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState, useNotify } from 'ra-core'
import { lazy, type ReactNode, Suspense, useState } from 'react'

import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Card } from './Card.tsx'
import { Deliveries } from './Deliveries.tsx'
import { findRecipients } from './queries.ts'

const RecipientsDialog = lazy(async () => ({
  default: (await import('./RecipientsDialog.tsx')).RecipientsDialog,
}))

function Figure({ label, count, tone, children }: FigureProps) {
  const [locale] = useLocaleState()
  return (
    <Box sx={{ minWidth: 120 }}>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, display: 'flex', alignItems: 'center', columnGap: 1 }}>
        <Box component="span" sx={{ fontSize: '2rem', fontWeight: 600, lineHeight: 1.25, color: tone }}>
          {formatNumber(locale, count)}
        </Box>
        {children}
      </Box>
    </Box>
  )
}
interface FigureProps {
  label: string
  count: number
  /** A colour of the theme. */
  tone: string
  children?: ReactNode
}

/** The button that saves everybody with what became of their messages, those whom nothing reached first. */
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

/** Whom a notification reached and whom not, and how far its messages have come. */
export function ReachedCard({ notification }: { notification: NotificationDetail }) {
  const text = useText()
  const [opened, setOpened] = useState(false)
  const { id, reachedCount, notReachedCount, deliveries } = notification
  const notReached = text('massNotifications.notReached')
  return (
    <Card title={text('massNotifications.deliveries')} side={<SaveRecipients id={id} />}>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 5fr)' },
          gap: 2.5,
          alignItems: 'center',
        }}
      >
        {reachedCount === null || notReachedCount === null ? (
          <Box component="output" sx={{ color: 'text.secondary' }}>
            {text('massNotifications.reachedLater')}
          </Box>
        ) : (
          <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1 }}>
            <Figure label={text('massNotifications.reached')} count={reachedCount} tone="text.primary" />
            <Figure
              label={notReached}
              count={notReachedCount}
              tone={notReachedCount > 0 ? 'error.main' : 'text.primary'}
            >
              {notReachedCount > 0 && (
                <Button
                  size="small"
                  aria-label={text('massNotifications.viewAllOf', { name: notReached })}
                  onClick={() => setOpened(true)}
                >
                  {text('massNotifications.viewAll')}
                </Button>
              )}
            </Figure>
          </Box>
        )}
        <Deliveries deliveries={deliveries} />
      </Box>
      <Suspense>
        {opened && (
          <RecipientsDialog
            title={notReached}
            view="everybody"
            count={notReachedCount ?? 0}
            queryKey={['mass-notifications', 'recipients', id, 'NOT_REACHED']}
            find={findRecipients(id, { outcome: 'NOT_REACHED' })}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </Card>
  )
}
