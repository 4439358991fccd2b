import ArchiveRounded from '@mui/icons-material/ArchiveRounded'
import PublicRounded from '@mui/icons-material/PublicRounded'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'
import { PersonMark } from '#src/suppressions/PersonMark.tsx'

interface Props {
  email: string
  /** Undefined while loading, null for an unknown address. */
  user: NamedPerson | null | undefined
  /** Shows the person's role. */
  withRole?: boolean
  /** Content at the end of the line. */
  children?: ReactNode
}

/** Role, and marks of external and archived people. */
function Marks({ user, withRole }: { user: NamedPerson; withRole: boolean }) {
  const text = useText()
  const isExternal = user.type === 'EXTERNAL'
  if (!withRole && !isExternal && user.active) return null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      {withRole && (
        <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {text(`app.roles.${user.role}`)}
        </Box>
      )}
      {isExternal && <StatusChip icon={PublicRounded} label={text('people.external')} />}
      {!user.active && <StatusChip icon={ArchiveRounded} label={text('people.archived')} />}
    </Box>
  )
}

/** A person in a list: name, and marks of external and archived people. */
export function PersonLine({ email, user, withRole = false, children }: Props) {
  const name = user ? fullName(user) || email : email
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minWidth: 0,
        color: user?.active === false ? 'text.secondary' : 'text.primary',
      }}
    >
      <Initials
        firstName={user?.firstName ?? email}
        lastName={user?.lastName ?? ''}
        imageUrl={user?.profileImageUrl ?? null}
        size={36}
      />
      <Box
        sx={{ flex: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5 }}
      >
        <Box sx={{ flex: '1 1 200px', minWidth: 0, lineHeight: 1.35, overflowWrap: 'anywhere' }}>
          <Box component="span" dir="auto" sx={{ display: 'block', fontWeight: 600 }}>
            {name}
          </Box>
          {user && (
            <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
              {email}
            </Box>
          )}
        </Box>
        {user && <Marks user={user} withRole={withRole} />}
        <PersonMark email={email} />
      </Box>
      {children}
    </Box>
  )
}
