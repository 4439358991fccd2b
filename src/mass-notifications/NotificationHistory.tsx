import { cut } from '#contract/kit/cut.ts'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import Box from '@mui/material/Box'
import { useLocaleState } from 'react-admin'

import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import type { SentNotification } from '#contract/mass-notifications/schema.ts'
import { defineTable } from '#src/kit/resource/defineResource.tsx'
import type { Translate } from '#src/kit/resource/resource.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { LevelChip } from './LevelChip.tsx'

/** Characters of a message that fit into the widest row. */
const SHOWN = 300

const messageOf = ({ emailMessage, smsMessage }: SentNotification): string =>
  [emailMessage, smsMessage].filter(Boolean).join(' / ')
const typesOf = ({ types }: SentNotification, text: Translate): string =>
  types.map((type) => text(`massNotifications.typesInShort.${type}`)).join(', ')

function Message({ notification }: { notification: SentNotification }) {
  const text = useText()
  const message = cut(messageOf(notification), SHOWN)
  return message ? (
    <span className="cell-text" dir="auto" title={message}>
      {message}
    </span>
  ) : (
    <em className="cell-nothing">{text('massNotifications.noMessage')}</em>
  )
}

/** Number of notified people, and of those not reached, waiting or answered. */
function Notified({ notification }: { notification: SentNotification }) {
  const { notifiedCount, notReachedCount, waitingCount, question } = notification
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <span className="cell-text">
      {notReachedCount > 0 && (
        <Box component="span" sx={{ mr: 1, color: 'error.main' }}>
          {text('massNotifications.notReachedCount', { smart_count: notReachedCount })}
        </Box>
      )}
      {waitingCount > 0 && (
        <Box component="span" sx={{ mr: 1, color: 'warning.main' }}>
          {text('massNotifications.waitingCount', { smart_count: waitingCount })}
        </Box>
      )}
      {question && (
        <Box component="span" sx={{ mr: 1, color: 'text.secondary' }}>
          {text('massNotifications.answeredOf', {
            answered: formatNumber(locale, question.answeredCount),
            asked: formatNumber(locale, question.askedCount),
          })}
        </Box>
      )}
      {formatNumber(locale, notifiedCount)}
    </span>
  )
}

/** Sent notifications, newest first, each with a page of its own (administration §2.1 "Notification History"). */
export const NotificationHistory = defineTable({
  name: 'mass-notifications',
  title: 'massNotifications.history',
  icon: CampaignRounded,
  api: massNotificationsApi,
  nameOf: (notification) => cut(messageOf(notification), SHOWN) || (notification.title ?? ''),
  leadsTo: ({ id }) => `/mass-notifications/history/${id}`,
  columns: [
    {
      field: 'level',
      label: 'massNotifications.level',
      width: 120,
      card: 'corner',
      render: ({ level }) => <LevelChip level={level} />,
    },
    {
      field: 'emailMessage',
      label: 'massNotifications.message',
      names: true,
      flex: 1,
      minWidth: 200,
      sortable: false,
      text: (notification, text) => messageOf(notification) || text('massNotifications.noMessage'),
      render: (notification) => <Message notification={notification} />,
    },
    {
      field: 'types',
      label: 'massNotifications.type',
      width: 150,
      sortable: false,
      card: 'line',
      text: typesOf,
    },
    {
      field: 'notifiedCount',
      label: 'massNotifications.notified',
      kind: 'number',
      width: 270,
      card: 'line',
      render: (notification) => <Notified notification={notification} />,
    },
    {
      field: 'createTimestamp',
      label: 'massNotifications.sentAt',
      kind: 'time',
      width: 188,
      card: 'line',
    },
  ],
  sort: ['createTimestamp', 'DESC'],
  pageSizes: [10, 25, 50, 100],
  search: 'massNotifications.filter',
  empty: 'massNotifications.empty',
  failed: 'massNotifications.fetchFailed',
})
