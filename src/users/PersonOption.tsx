import Box from '@mui/material/Box'

import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { PersonMark } from '#src/suppressions/PersonMark.tsx'

export function PersonOption({ email, person }: { email: string; person: NamedPerson | undefined }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <Initials
        firstName={person?.firstName ?? email}
        lastName={person?.lastName ?? ''}
        imageUrl={person?.profileImageUrl ?? null}
        size={28}
      />
      <Box sx={{ flex: 1, minWidth: 0, lineHeight: 1.3 }}>
        <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {person ? fullName(person) : email}
        </Box>
        <Box
          component="span"
          sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {[email, person?.department].filter(Boolean).join(' · ')}
        </Box>
      </Box>
      <PersonMark email={email} />
    </Box>
  )
}
