import Button from '@mui/material/Button'
import Box from '@mui/material/Box'
import PersonOffRounded from '@mui/icons-material/PersonOffRounded'
import { Suspense, useState } from 'react'

import { command as words } from '#providers/i18n/command.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

import { nameOfHolder, type TakenRole } from './takenRole.ts'

const RolePopover = lazy(async () => ({ default: (await import('./RolePopover.tsx')).RolePopover }))

interface Props {
  incidentId: string
  role: TakenRole
  /** True where the viewer may change who holds it. */
  canChange: boolean
}

/** A role and its holder in a line; opens the history, and what can be done with it. */
export function RoleButton({ incidentId, role, canChange }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const name = nameOfHolder(role)
  return (
    <>
      <Button
        size="small"
        color="inherit"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={words.holds(role.name, name)}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{
          minHeight: { xs: 44, sm: 32 },
          maxWidth: '100%',
          px: 1,
          gap: 0.75,
          fontWeight: 400,
          whiteSpace: 'nowrap',
        }}
      >
        <Box component="span" sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {role.name}
        </Box>
        <Box
          component="bdi"
          sx={{ fontWeight: 600, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}
        >
          {name}
        </Box>
        {!role.holder.isActive && (
          <PersonOffRounded color="warning" titleAccess={words.gone} sx={{ fontSize: 18 }} />
        )}
      </Button>
      {anchor && (
        <Suspense>
          <RolePopover
            incidentId={incidentId}
            role={role}
            canChange={canChange}
            anchor={anchor}
            onClose={() => setAnchor(null)}
          />
        </Suspense>
      )}
    </>
  )
}
