import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import HourglassEmptyRounded from '@mui/icons-material/HourglassEmptyRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useStore } from 'react-admin'
import { Suspense, useState } from 'react'

import type { Incident, TeamMember } from '#contract/incidents/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { ProgressRing } from './ProgressRing.tsx'
import { useTeamStatus } from '../queries.ts'

const HelpCalls = lazy(async () => ({ default: (await import('./HelpCalls.tsx')).HelpCalls }))
const NudgeMenu = lazy(async () => ({ default: (await import('./NudgeMenu.tsx')).NudgeMenu }))

const icon = { flex: 'none', fontSize: 16 }
/** The check-in of a person, or the answer that calls for help, which a check-in does not hide. */
function CheckIn({ member: { checkInTimestamp: at, answer }, isActive }: CheckInProps) {
  const text = useText()
  if (answer?.needsHelp)
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0, color: 'error.main' }}>
        <ErrorOutlineRounded sx={icon} />
        <Box component="bdi" sx={{ minWidth: 0, overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {answer.label}
        </Box>
      </Box>
    )
  return (
    <Box
      sx={{ display: 'flex', alignItems: 'center', gap: 0.5, color: at ? 'success.main' : 'text.secondary' }}
    >
      {at ? (
        <>
          <CheckCircleRounded sx={icon} />
          <span>
            <Time at={at} short />
            {answer && (
              <Box component="bdi" sx={{ display: 'block', color: 'text.secondary', whiteSpace: 'normal' }}>
                {answer.label}
              </Box>
            )}
          </span>
        </>
      ) : (
        <>
          {isActive ? <HourglassEmptyRounded sx={icon} /> : <RemoveRounded sx={icon} />}
          {text(isActive ? 'incidents.waiting' : 'incidents.notCheckedIn')}
        </>
      )}
    </Box>
  )
}

interface CheckInProps {
  member: TeamMember
  isActive: boolean
}

const cell = { px: 1, py: 0.75, fontSize: '0.8125rem', lineHeight: 1.35, '&:last-of-type': { pr: 0 } }
/** Fixed width, so that long times leave room for the names. */
const fixed = (width: number) => ({ ...cell, width, whiteSpace: 'nowrap' })

function Members({ members, incident }: { members: readonly TeamMember[]; incident: Incident }) {
  const text = useText()
  const { isActive } = incident
  const me = useSession().user?.uuid
  return (
    <Table size="small" aria-label={text('incidents.team')} sx={{ tableLayout: 'fixed' }}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ ...cell, pl: 0 }}>{text('incidents.name')}</TableCell>
          <TableCell sx={fixed(82)}>{text('incidents.lastActive')}</TableCell>
          <TableCell sx={fixed(isActive ? 122 : 106)}>{text('incidents.checkInColumn')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {members.map((member) => (
          <TableRow key={member.id}>
            <TableCell sx={{ ...cell, pl: 0 }} component="th" scope="row">
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontWeight: 600 }}>
                <Initials
                  firstName={member.firstName}
                  lastName={member.lastName}
                  imageUrl={member.profileImageUrl}
                  size={24}
                />
                <Box component="span" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
                  {fullName(member)}
                </Box>
              </Box>
            </TableCell>
            <TableCell sx={{ ...cell, color: 'text.secondary' }}>
              {member.lastActiveTimestamp ? <Time at={member.lastActiveTimestamp} short /> : '–'}
            </TableCell>
            <TableCell sx={cell}>
              <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
                <CheckIn member={member} isActive={isActive} />
                {isActive && member.checkInTimestamp === null && member.id !== me && (
                  <Suspense>
                    <NudgeMenu incident={incident} whom={{ member }} />
                  </Suspense>
                )}
              </Box>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function Summary({ incident, done, total }: { incident: Incident; done: number; total: number }) {
  const text = useText()
  const groups = incident.targetedGroups.map(({ name }) => name).join(', ')
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 1.5 }}>
      <ProgressRing value={done} total={total} label={text('incidents.team')} />
      <Box>
        <Typography variant="subtitle2" component="p">
          {text('incidents.checkedInOf', { done, smart_count: total })}
        </Typography>
        {incident.isTargeted && (
          <Typography color="textSecondary">
            {groups ? text('incidents.targetedGroupsNote', { groups }) : text('incidents.targetedNote')}
          </Typography>
        )}
      </Box>
    </Box>
  )
}

interface FilterProps {
  onlyWaiting: boolean
  waiting: number
  onChange: (onlyWaiting: boolean) => void
}

function WaitingFilter({ onlyWaiting, waiting, onChange }: FilterProps) {
  const text = useText()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={onlyWaiting}
      aria-label={text('incidents.filter')}
      onChange={(_, value: boolean | null) => {
        if (value !== null) onChange(value)
      }}
      sx={{ '& button': { px: 1.5, gap: 0.75, textTransform: 'none' } }}
    >
      <ToggleButton value={false}>{text('incidents.filters.ALL')}</ToggleButton>
      <ToggleButton value={true}>
        {text('incidents.waiting')}
        <Box component="span" aria-hidden sx={{ fontWeight: 400, color: 'text.secondary' }}>
          {waiting}
        </Box>
      </ToggleButton>
    </ToggleButtonGroup>
  )
}

/**
 * People who are missing or have checked in (operations §2 "team status"); while the incident is active,
 * missing ones come first.
 */
export function TeamStatus({ incident }: { incident: Incident }) {
  const text = useText()
  const [onlyWaiting, setOnlyWaiting] = useState(false)
  const [folded, setFolded] = useStore('incident.team.folded', false)
  const team = useTeamStatus(incident, onlyWaiting)
  const { counts, members, nextCount } = team
  if (!counts)
    return (
      <Card heading="h3" title={text('incidents.team')}>
        {team.error ? (
          <ErrorState error={team.error} onRetry={() => void team.refetch()} />
        ) : (
          <Skeleton variant="rounded" height={420} />
        )}
      </Card>
    )
  const { total, checkedInCount: done, waitingCount: waiting } = counts
  // Nobody nudges themselves.
  const nudgeable = waiting - (incident.shouldCurrentUserCheckIn ? 1 : 0)
  const summary = (
    <>
      {counts.helpCount > 0 && (
        <Suspense>
          <HelpCalls incident={incident} />
        </Suspense>
      )}
      <Summary incident={incident} done={done} total={total} />
    </>
  )
  const toggle = members.length > 0 && (
    <Button
      size="small"
      color="inherit"
      aria-expanded={!folded}
      endIcon={<ExpandMoreRounded sx={{ transform: folded ? 'none' : 'rotate(180deg)' }} />}
      onClick={() => setFolded(!folded)}
    >
      {text(folded ? 'incidents.showTeam' : 'incidents.hideTeam')}
    </Button>
  )
  if (folded)
    return (
      <Card heading="h3" title={text('incidents.team')} side={toggle}>
        {summary}
      </Card>
    )
  return (
    <Card heading="h3" title={text('incidents.team')} side={toggle}>
      {summary}
      {waiting > 0 && incident.isActive && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            justifyContent: 'space-between',
            mb: 1,
          }}
        >
          {done > 0 ? (
            <WaitingFilter onlyWaiting={onlyWaiting} waiting={waiting} onChange={setOnlyWaiting} />
          ) : (
            <span />
          )}
          {nudgeable > 0 && (
            <Suspense>
              <NudgeMenu incident={incident} whom={{ count: nudgeable }} />
            </Suspense>
          )}
        </Box>
      )}
      {members.length > 0 && <Members members={members} incident={incident} />}
      {nextCount > 0 && (
        <Button
          size="small"
          loading={team.isFetchingNextPage}
          onClick={() => void team.fetchNextPage()}
          sx={{ mt: 1 }}
        >
          {text('incidents.showMorePeople', { count: nextCount })}
        </Button>
      )}
    </Card>
  )
}
