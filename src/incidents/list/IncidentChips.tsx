import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import HowToRegRounded from '@mui/icons-material/HowToRegRounded'
import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import KeyboardArrowUpRounded from '@mui/icons-material/KeyboardArrowUpRounded'
import RadioButtonCheckedRounded from '@mui/icons-material/RadioButtonCheckedRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import type { ReactElement } from 'react'

import { incidentCan } from '#contract/incidents/rules.ts'
import type { IncidentSummary, Priority } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { OverdueChip } from '../feed/OverdueChip.tsx'
import { SeverityMark } from './SeverityMark.tsx'

/** Arrows show a task's priority without colour, which is reserved for the state of incidents. */
export const PRIORITY_ICONS: { readonly [P in Priority]: ReactElement } = {
  LOW: <KeyboardArrowDownRounded />,
  MEDIUM: <RemoveRounded />,
  HIGH: <KeyboardArrowUpRounded />,
}

interface Props {
  incident: IncidentSummary
  /** False on the incident's own page, which asks with a button. */
  asksToCheckIn?: boolean
}

/** Number, type, severity, state and labels of an incident as a row of chips. */
export function IncidentChips({ incident, asksToCheckIn = true }: Props) {
  const text = useText()
  const { number, isTabletop, isActive, severity, outcome, kind, labels } = incident
  const color = isTabletop ? 'warning' : 'error'
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
      {number !== '' && <Chip size="small" variant="outlined" label={number} />}
      {isTabletop ? (
        <Chip size="small" color="warning" icon={<SchoolRounded />} label={text('incidents.exerciseMark')} />
      ) : (
        <Chip
          size="small"
          variant="outlined"
          icon={<CrisisAlertRounded />}
          label={text('incidents.incident')}
        />
      )}
      {/* On its page, kind and details stand below. */}
      {kind && asksToCheckIn && <Chip size="small" variant="outlined" label={kind.name} />}
      {isActive ? (
        <Chip
          size="small"
          variant="outlined"
          color={color}
          icon={<RadioButtonCheckedRounded />}
          label={text('incidents.ongoing')}
        />
      ) : (
        <Chip
          size="small"
          variant="outlined"
          {...(outcome === null && { color: 'success' })}
          icon={<CheckCircleRounded />}
          label={text(outcome === null ? 'incidents.resolved' : `incidents.outcomes.${outcome}`)}
        />
      )}
      <SeverityMark severity={severity} exercise={isTabletop} isResolved={!isActive} />
      <OverdueChip incident={incident} />
      {asksToCheckIn && incident.shouldCurrentUserCheckIn && incidentCan.checkIn(incident) && (
        <Chip
          size="small"
          color="primary"
          icon={<HowToRegRounded />}
          label={text('incidents.checkInNeeded')}
        />
      )}
      {labels.map((label) => (
        <Chip key={label} size="small" label={<bdi>{label}</bdi>} />
      ))}
    </Box>
  )
}
