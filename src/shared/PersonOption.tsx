import { createFilterOptions } from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'

import { fullName } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { Initials } from '#src/kit/Initials.tsx'

/** More are found by typing. */
const SHOWN = 50
/** Finds people by name, address and department. */
export const filterPeople = createFilterOptions<DirectoryUser>({
  limit: SHOWN,
  trim: true,
  stringify: (user) => `${fullName(user)} ${user.email} ${user.department ?? ''}`,
})

/** A person in the list of a picker. */
export function PersonOption({ user }: { user: DirectoryUser }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <Initials
        firstName={user.firstName}
        lastName={user.lastName}
        imageUrl={user.profileImageUrl}
        size={28}
      />
      <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
        <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {fullName(user)}
        </Box>
        <Box
          component="span"
          sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary', overflowWrap: 'anywhere' }}
        >
          {[user.email, user.department].filter(Boolean).join(' · ')}
        </Box>
      </Box>
    </Box>
  )
}
