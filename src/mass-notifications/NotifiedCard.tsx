import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { useLocaleState } from 'ra-core'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Card } from './Card.tsx'
import type { PeopleView } from './PeopleTable.tsx'

const RecipientsDialog = lazy(async () => ({
  default: (await import('./RecipientsDialog.tsx')).RecipientsDialog,
}))

/** Names that are shown before the others are counted. */
const SHOWN = 10

function Chosen({ label, names, nothing }: { label: string; names: readonly string[]; nothing: string }) {
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
        {names.length > SHOWN && (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {text('massNotifications.more', { smart_count: names.length - SHOWN })}
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

/** Who was chosen, and who was notified by that. */
export function NotifiedCard({ notification }: { notification: NotificationDetail }) {
  const text = useText()
  const [view, setView] = useState<PeopleView>()
  const { notifiedUserHistoryData: people, contactIds, contactListIds, groupNames } = notification
  const contacts = useMemo(
    () =>
      people.filter(({ shqGroupId, lists, targeted }) => shqGroupId === null || lists.length > 0 || targeted),
    [people],
  )
  const members = useMemo(() => people.filter(({ shqGroupId }) => shqGroupId !== null), [people])
  const names = useMemo(() => {
    const byEmail = new Map(people.map(({ email, name }) => [email, name]))
    return contactIds.map((email) => byEmail.get(email) || email)
  }, [people, contactIds])
  const summaries = [
    { of: 'contacts', label: text('massNotifications.notifiedContacts'), shown: contacts },
    { of: 'members', label: text('massNotifications.notifiedMembers'), shown: members },
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
          names={names}
          nothing={text('massNotifications.noContacts')}
        />
        <Chosen
          label={text('massNotifications.groups')}
          names={groupNames}
          nothing={text('massNotifications.noGroups')}
        />
      </Box>
      {summaries.map(({ of, label, shown }) => (
        <Summary key={of} label={label} count={shown.length}>
          <Button
            size="small"
            disabled={shown.length === 0}
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
            people={open.shown}
            onClose={() => setView(undefined)}
          />
        )}
      </Suspense>
    </Card>
  )
}
