import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import type { Recipient } from '#contract/mass-notifications/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Delivered } from './Delivered.tsx'
import { PersonDetails } from './PersonDetails.tsx'
import { type MissedOutcome, useMissed } from './queries.ts'

interface Props {
  id: string
  outcome: MissedOutcome
  label: string
  count: number
  onViewAll: () => void
}

const nameOf = ({ name, email, phone }: Recipient): string => name || email || phone || ''

/** The first people without any message, with reasons; a dialog lists the others. */
export function MissedPeople({ id, outcome, label, count, onViewAll }: Props) {
  const text = useText()
  const titleId = useId()
  const [locale] = useLocaleState()
  const { data: people } = useMissed(id, outcome, count)
  if (count === 0 || !people?.length) return null
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ minWidth: 0 }}>
      <Box
        id={titleId}
        component="h3"
        sx={{ m: 0, mb: 0.5, fontSize: '0.875rem', fontWeight: 600, color: 'text.secondary' }}
      >
        {label}
      </Box>
      <Box
        component="ul"
        sx={{ m: 0, p: 0, listStyle: 'none', '& > li': { borderTop: 1, borderColor: 'divider' } }}
      >
        {people.map((person) => (
          <Box
            component="li"
            key={`${person.email} ${person.phone}`}
            sx={{
              py: 1,
              display: 'flex',
              flexWrap: 'wrap',
              columnGap: 2,
              rowGap: 0.25,
              overflowWrap: 'anywhere',
            }}
          >
            <Box dir="auto" sx={{ flex: '1 1 160px', minWidth: 0, fontWeight: 600 }}>
              {nameOf(person)}
            </Box>
            <Box sx={{ flex: '2 1 280px', minWidth: 0 }}>
              <Delivered messages={person.messages} />
            </Box>
            <PersonDetails notificationId={id} person={person.person} name={nameOf(person)} />
          </Box>
        ))}
      </Box>
      {count > people.length && (
        <Button
          size="small"
          aria-label={text('massNotifications.viewAllOf', { name: label })}
          onClick={onViewAll}
        >
          {text('massNotifications.viewAllCount', { count: formatNumber(locale, count) })}
        </Button>
      )}
    </Box>
  )
}
