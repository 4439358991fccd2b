import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useState } from 'react'

import { incidentRolesAccess } from '#contract/incident-roles/access.ts'
import type { HeldRole } from '#contract/incident-roles/schema.ts'
import { command as words } from '#providers/i18n/command.ts'
import { HttpProblem } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'

import { NextUpdateClock } from './NextUpdateClock.tsx'
import { RoleButton } from './RoleButton.tsx'
import { useCommand } from './queries.ts'
import { isTaken } from './takenRole.ts'

const HandOverDialog = lazy(async () => ({ default: (await import('./HandOverDialog.tsx')).HandOverDialog }))

interface Props {
  incidentId: string
  /** Below each other, as in the panel of a room. */
  isNarrow?: boolean
}
interface RolesProps extends Required<Props> {
  roles: readonly HeldRole[]
  isActive: boolean
}

/** Roles with their holders. On a phone the first one, and a count of the others. */
function Roles({ incidentId, roles, isActive, isNarrow }: RolesProps) {
  const can = useCan()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [isUnfolded, setUnfolded] = useState(false)
  const [isAssigning, setAssigning] = useState(false)
  const canChange = isActive && can(incidentRolesAccess.write)
  const taken = roles.filter(isTaken)
  const free = roles.filter(({ holder, isRetired }) => holder === null && !isRetired)
  const folds = phone && !isNarrow && taken.length > 1
  const visible = folds && !isUnfolded ? taken.slice(0, 1) : taken
  const isLed = taken.some(({ duty }) => duty === 'COMMAND')
  return (
    <>
      {!isLed && isActive && roles.some(({ duty }) => duty === 'COMMAND') && (
        <Typography component="span" variant="body2" color="textSecondary" sx={{ px: 1 }}>
          {words.nobodyLeads}
        </Typography>
      )}
      {visible.map((role) => (
        <RoleButton key={role.id} incidentId={incidentId} role={role} canChange={canChange} />
      ))}
      {folds && (
        <Button
          size="small"
          color="inherit"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
          sx={{ minHeight: 44, px: 1, fontWeight: 400 }}
        >
          {isUnfolded ? words.fewer : words.more(taken.length - 1)}
        </Button>
      )}
      {canChange && free.length > 0 && (
        <Button
          size="small"
          startIcon={<AddRounded />}
          onClick={() => setAssigning(true)}
          sx={{ minHeight: { xs: 44, sm: 32 }, px: 1 }}
        >
          {words.assign}
        </Button>
      )}
      {isAssigning && (
        <Suspense>
          <HandOverDialog incidentId={incidentId} roles={free} onClose={() => setAssigning(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Roles with their holders, and the time until the next update. Nothing for external people. */
export function CommandStrip({ incidentId, isNarrow = false }: Props) {
  const text = useText()
  const { data, error, refetch } = useCommand(incidentId)
  if (!data) {
    // External people follow incidents without the people who lead them.
    if (error instanceof HttpProblem && error.status === 403) return null
    if (!error) return <Skeleton variant="rounded" height={32} width={280} />
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography variant="body2" color="textSecondary">
          {words.failed}
        </Typography>
        <Button size="small" onClick={() => void refetch()}>
          {text('kit.retry')}
        </Button>
      </Box>
    )
  }
  const { roles, isActive, nextUpdate } = data
  if (!isActive && !roles.some(isTaken)) return null
  return (
    <Box
      component="section"
      aria-label={words.title}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        flexDirection: isNarrow ? 'column' : 'row',
        alignItems: isNarrow ? 'flex-start' : 'center',
        columnGap: 0.5,
        mx: -1,
        minWidth: 0,
      }}
    >
      <Roles incidentId={incidentId} roles={roles} isActive={isActive} isNarrow={isNarrow} />
      {isActive && (
        <Box sx={{ ml: isNarrow ? 0 : { sm: 'auto' } }}>
          <NextUpdateClock incidentId={incidentId} next={nextUpdate} />
        </Box>
      )}
    </Box>
  )
}
