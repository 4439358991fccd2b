import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { useLocaleState } from 'react-admin'
import { type ReactNode, Suspense, useState } from 'react'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { findRecipients } from './queries.ts'
import { formatPrice } from './SmsCost.tsx'

const RecipientsDialog = lazy(async () => ({
  default: (await import('./RecipientsDialog.tsx')).RecipientsDialog,
}))

/** Names shown before the others are counted. */
const SHOWN = 10

interface ChosenProps {
  label: string
  names: readonly string[]
  /** Total number, where `names` is incomplete. */
  count?: number
  nothing: string
}

function Chosen({ label, names, count = names.length, nothing }: ChosenProps) {
  const text = useText()
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="dt" sx={{ mb: 0.5, fontWeight: 600 }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.5 }}>
        {names.length === 0 && (
          <Box component="em" sx={{ color: 'text.secondary' }}>
            {nothing}
          </Box>
        )}
        {names.slice(0, SHOWN).map((name) => (
          <Chip
            key={name}
            size="small"
            label={<bdi title={name}>{name}</bdi>}
            sx={{ maxWidth: '100%', fontWeight: 400 }}
          />
        ))}
        {count > SHOWN && (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {text('massNotifications.more', { smart_count: count - SHOWN })}
          </Box>
        )}
      </Box>
    </Box>
  )
}

function Summary({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  const [locale] = useLocaleState()
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 44,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: 1 }}>{label}</Box>
      <Box sx={{ fontSize: '1rem', fontWeight: 600 }}>{formatNumber(locale, count)}</Box>
      {children}
    </Box>
  )
}

/** The chosen lists, contacts and groups, and the people notified by them. */
export function NotifiedCard({ notification }: { notification: NotificationDetail }) {
  const text = useText()
  const [view, setView] = useState<'contacts' | 'members'>()
  const [locale] = useLocaleState()
  const { id, contactIds, contactNames, contactListIds, groupNames, contactCount, memberCount, price } =
    notification
  const summaries = [
    { of: 'contacts', label: text('massNotifications.notifiedContacts'), count: contactCount },
    { of: 'members', label: text('massNotifications.notifiedMembers'), count: memberCount },
  ] as const
  const open = summaries.find(({ of }) => of === view)
  return (
    <Card title={text('massNotifications.recipients')}>
      <Box
        component="dl"
        sx={{ m: 0, mb: 2, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}
      >
        <Chosen
          label={text('massNotifications.contactLists')}
          names={contactListIds}
          nothing={text('massNotifications.noLists')}
        />
        <Chosen
          label={text('massNotifications.contacts')}
          names={contactNames}
          count={contactIds.length}
          nothing={text('massNotifications.noContacts')}
        />
        <Chosen
          label={text('massNotifications.groups')}
          names={groupNames}
          nothing={text('massNotifications.noGroups')}
        />
      </Box>
      {price && (
        <Box sx={{ display: 'flex', gap: 1.5, py: 1.25, borderTop: 1, borderColor: 'divider' }}>
          <Box sx={{ flex: 1 }}>{text('massNotifications.costTitle')}</Box>
          <Box sx={{ fontSize: '1rem', fontWeight: 600 }}>
            {text('massNotifications.costAbout', { price: formatPrice(locale, price) })}
          </Box>
        </Box>
      )}
      {summaries.map(({ of, label, count }) => (
        <Summary key={of} label={label} count={count}>
          <Button
            size="small"
            disabled={count === 0}
            aria-label={text('massNotifications.viewAllOf', { name: label })}
            onClick={() => setView(of)}
          >
            {text('massNotifications.viewAll')}
          </Button>
        </Summary>
      ))}
      <Suspense>
        {open && (
          <RecipientsDialog
            title={open.label}
            view={open.of}
            count={open.count}
            queryKey={['mass-notifications', 'recipients', id, open.of]}
            notificationId={id}
            find={findRecipients(id, { of: open.of })}
            onClose={() => setView(undefined)}
          />
        )}
      </Suspense>
    </Card>
  )
}
