import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
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
import { useMemo, useState } from 'react'

import type { Incident } from '#contract/incidents/schema.ts'
import { fullName, isSelectable, isTargetable } from '#contract/users/rules.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { type People, usePeople } from '#src/shared/usePeople.ts'

import { Panel } from './Panel.tsx'
import { ProgressRing } from './ProgressRing.tsx'
import { useActivityTimestamps } from '../queries.ts'

const FIRST = 20
const MORE = 50

interface Row {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly imageUrl: string | null
  readonly checkIn: string | null
}

/** Who is asked to check in, and whoever did so: the latest first, then those who are waited for. */
function rowsOf(incident: Incident, people: People): Row[] {
  const checkIns = new Map(incident.checkIns.map(({ userId, timestamp }) => [userId, timestamp]))
  const named = new Set(incident.targetedUsers)
  const inGroups = new Set(incident.targetedGroups.flatMap(({ userIds }) => userIds))
  const targets = (user: DirectoryUser) =>
    named.has(user.email) || (inGroups.has(user.email) && isTargetable(user))
  const asked = people.list.filter((user) =>
    incident.isTargeted ? targets(user) : isSelectable(user) && user.type === 'INTERNAL',
  )
  const known = new Set(asked.map(({ uuid }) => uuid))
  const others = incident.checkIns
    .filter(({ userId }) => !known.has(userId))
    .flatMap(({ userId }) => people.byId.get(userId) ?? [])
  return [...asked, ...others]
    .map((user) => ({
      id: user.uuid,
      firstName: user.firstName,
      lastName: user.lastName,
      imageUrl: user.profileImageUrl,
      checkIn: checkIns.get(user.uuid) ?? null,
    }))
    .sort((a, b) => {
      if (a.checkIn === null || b.checkIn === null)
        return Number(a.checkIn === null) - Number(b.checkIn === null) || byName(a, b)
      return Date.parse(b.checkIn) - Date.parse(a.checkIn) || byName(a, b)
    })
}
const names = new Intl.Collator()
const byName = (a: Row, b: Row) => names.compare(fullName(a), fullName(b))

const icon = { flex: 'none', fontSize: 16 }
function CheckIn({ at, isActive }: { at: string | null; isActive: boolean }) {
  const text = useText()
  return (
    <Box
      sx={{ display: 'flex', alignItems: 'center', gap: 0.5, color: at ? 'success.main' : 'text.secondary' }}
    >
      {at ? (
        <>
          <CheckCircleRounded sx={icon} />
          <Time at={at} short />
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

/** Who has checked in and who is waited for (operations §2 "team status"). */
export function TeamStatus({ incident }: { incident: Incident }) {
  const text = useText()
  const people = usePeople()
  const lastActive = useActivityTimestamps(incident.isActive)
  const [shown, setShown] = useState(FIRST)
  const [onlyWaiting, setOnlyWaiting] = useState(false)
  const rows = useMemo(() => rowsOf(incident, people), [incident, people])
  const waiting = rows.filter(({ checkIn }) => checkIn === null)
  const done = rows.length - waiting.length
  const listed = onlyWaiting ? waiting : rows
  const cell = { px: 1, py: 0.75, fontSize: '0.8125rem', lineHeight: 1.35, '&:last-of-type': { pr: 0 } }
  // Of fixed widths, so that a long moment never takes the room of the names.
  const fixed = (width: number) => ({ ...cell, width, whiteSpace: 'nowrap' })
  if (!people.known)
    return (
      <Panel title={text('incidents.team')}>
        <Skeleton variant="rounded" height={420} />
      </Panel>
    )
  return (
    <Panel title={text('incidents.team')}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 1.5 }}>
        <ProgressRing value={done} total={rows.length} label={text('incidents.team')} />
        <Box>
          <Typography variant="subtitle2" component="p">
            {text('incidents.checkedInOf', { done, smart_count: rows.length })}
          </Typography>
          {incident.isTargeted && (
            <Typography color="textSecondary">
              {incident.targetedGroups.length > 0
                ? text('incidents.targetedGroupsNote', {
                    groups: incident.targetedGroups.map(({ name }) => name).join(', '),
                  })
                : text('incidents.targetedNote')}
            </Typography>
          )}
        </Box>
      </Box>
      {done > 0 && waiting.length > 0 && incident.isActive && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={onlyWaiting}
          aria-label={text('incidents.filter')}
          onChange={(_, value: boolean | null) => {
            if (value !== null) setOnlyWaiting(value)
          }}
          sx={{ mb: 1, '& button': { px: 1.5, gap: 0.75, textTransform: 'none' } }}
        >
          <ToggleButton value={false}>{text('incidents.filters.ALL')}</ToggleButton>
          <ToggleButton value={true}>
            {text('incidents.waiting')}
            <Box component="span" aria-hidden sx={{ fontWeight: 400, color: 'text.secondary' }}>
              {waiting.length}
            </Box>
          </ToggleButton>
        </ToggleButtonGroup>
      )}
      {listed.length > 0 && (
        <Table size="small" aria-label={text('incidents.team')} sx={{ tableLayout: 'fixed' }}>
          <TableHead>
            <TableRow>
              <TableCell sx={{ ...cell, pl: 0 }}>{text('incidents.name')}</TableCell>
              <TableCell sx={fixed(90)}>{text('incidents.lastActive')}</TableCell>
              <TableCell sx={fixed(106)}>{text('incidents.checkInColumn')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {listed.slice(0, shown).map((row) => {
              const active = lastActive.get(row.id)
              return (
                <TableRow key={row.id}>
                  <TableCell sx={{ ...cell, pl: 0 }} component="th" scope="row">
                    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontWeight: 600 }}>
                      <Initials
                        firstName={row.firstName}
                        lastName={row.lastName}
                        imageUrl={row.imageUrl}
                        size={24}
                      />
                      <Box component="span" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
                        {fullName(row)}
                      </Box>
                    </Box>
                  </TableCell>
                  <TableCell sx={{ ...cell, color: 'text.secondary' }}>
                    {active ? <Time at={active} short /> : '–'}
                  </TableCell>
                  <TableCell sx={cell}>
                    <CheckIn at={row.checkIn} isActive={incident.isActive} />
                  </TableCell>
                </TableRow>
              )
            })}
          </TableBody>
        </Table>
      )}
      {shown < listed.length && (
        <Button size="small" onClick={() => setShown(shown + MORE)} sx={{ mt: 1 }}>
          {text('incidents.showMorePeople', { count: Math.min(MORE, listed.length - shown) })}
        </Button>
      )}
    </Panel>
  )
}
