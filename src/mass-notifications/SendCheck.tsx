import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { type ReactNode, Suspense, useState } from 'react'

import type { ChosenContacts } from '#contract/mass-notifications/schema.ts'
import { STANDING_LABELS } from '#contract/notification-questions/rules.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import type { PeopleView } from './PeopleTable.tsx'
import { QuotaMeter } from './QuotaMeter.tsx'
import { type Draft, findContacts, findMembers, type Reach, useQuota } from './queries.ts'

const load = () => import('./RecipientsDialog.tsx')
const RecipientsDialog = lazy(async () => ({ default: (await load()).RecipientsDialog }))

function Counter({ label, count, children }: { label: string; count: string; children?: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        columnGap: 1.5,
        minHeight: 44,
        px: { md: 2.5 },
        borderStyle: 'solid',
        borderColor: 'divider',
        borderWidth: { xs: '1px 0 0', md: '0 0 0 1px' },
        '&:first-of-type': { pl: 0, borderWidth: 0 },
      }}
    >
      <Box component="dt" sx={{ flex: 1 }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, display: 'flex', alignItems: 'center', gap: 1 }}>
        {children}
        <Box component="strong" sx={{ minWidth: { xs: 48, md: 0 }, textAlign: 'end', fontSize: '1rem' }}>
          {count}
        </Box>
      </Box>
    </Box>
  )
}

/** Warnings before sending, about numbers that cannot be reached. */
function Warnings({ reach: { doubtful, withoutPhone, suppressed, lacking } }: { reach: Reach }) {
  const text = useText()
  const names = lacking.map(({ name, userPhoneCount, userCount }) =>
    text('massNotifications.groupPhones', { name, phones: userPhoneCount, users: userCount }),
  )
  const sentences = [
    suppressed > 0 && text('massNotifications.suppressed', { smart_count: suppressed }),
    doubtful > 0 && text('massNotifications.doubtful', { smart_count: doubtful }),
    withoutPhone > 0 && text('massNotifications.withoutPhone', { smart_count: withoutPhone }),
    names.length > 0 &&
      text('massNotifications.groupsWithoutPhones', {
        smart_count: names.length,
        names: names.join(', '),
      }),
  ].filter((sentence) => sentence !== false)
  return sentences.map((sentence) => (
    <Alert key={sentence} severity="warning" sx={{ mt: 1.5, overflowWrap: 'anywhere' }}>
      {sentence}
    </Alert>
  ))
}

interface Props {
  reach: Reach
  chosen: ChosenContacts & Pick<Draft, 'groupIds' | 'followUp' | 'withCheckedIn'>
  /** True if the caller may see the members of groups. */
  seesMembers: boolean
  withGroups: boolean
}

/** Quota and recipients of a notification, before it is sent. */
export function SendCheck({ reach, chosen, seesMembers, withGroups }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { data: quota } = useQuota()
  const [view, setView] = useState<PeopleView>()
  const { contactIds, contactListIds, groupIds } = chosen
  const { contactCount, memberCount, waitingCount, needed } = reach
  const number = (value: number) => formatNumber(locale, value)
  const opener = (of: PeopleView, label: string) => (
    <Button
      size="small"
      aria-label={text('massNotifications.viewAllOf', { name: label })}
      onPointerEnter={() => void load()}
      onClick={() => setView(of)}
      sx={{ minHeight: 32 }}
    >
      {text('massNotifications.viewAll')}
    </Button>
  )
  const close = () => setView(undefined)
  const contactsLabel = text('massNotifications.uniqueContacts')
  const people = chosen.withCheckedIn ? 'massNotifications.team' : 'massNotifications.notCheckedIn'
  const waitingLabel = chosen.followUp ? STANDING_LABELS[chosen.followUp.standing] : text(people)
  const membersLabel = text('massNotifications.groupMembers')
  return (
    <>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'grid',
          gridTemplateColumns: {
            md: ['5fr', withGroups && '6fr', waitingCount > 0 && '6fr', '4fr', '4fr']
              .filter(Boolean)
              .join(' '),
          },
        }}
      >
        <Counter label={contactsLabel} count={number(contactCount)}>
          {contactCount > 0 && opener('contacts', contactsLabel)}
        </Counter>
        {withGroups && (
          <Counter label={membersLabel} count={number(memberCount)}>
            {memberCount > 0 && seesMembers && opener('members', membersLabel)}
          </Counter>
        )}
        {waitingCount > 0 && <Counter label={waitingLabel} count={number(waitingCount)} />}
        <Counter label={text('massNotifications.needed')} count={number(needed)} />
        <Counter
          label={text('massNotifications.remainingLabel')}
          count={quota ? number(quota.remainingEvents) : text('grid.nothing')}
        />
      </Box>
      {quota && needed > 0 && <QuotaMeter needed={needed} remaining={quota.remainingEvents} />}
      <Warnings reach={reach} />
      <Suspense>
        {view === 'contacts' && (
          <RecipientsDialog
            title={text('massNotifications.contactsToNotify')}
            view="contacts"
            count={contactCount}
            queryKey={['contacts', 'chosen', contactListIds, contactIds]}
            find={findContacts({ contactListIds, contactIds })}
            onClose={close}
          />
        )}
        {view === 'members' && (
          <RecipientsDialog
            title={text('massNotifications.membersToNotify')}
            view="members"
            count={memberCount}
            queryKey={['groups', 'notified', groupIds]}
            find={findMembers(groupIds)}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}
