import Chip from '@mui/material/Chip'

import type { Severity } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { SEVERITY_ICONS } from './SeverityIcon.tsx'

interface Props {
  severity: Severity
  /** Exercises are never red. */
  exercise: boolean
  /** A resolved incident needs no emphasis. */
  isResolved: boolean
}

/** The severity of an incident: a filled chip for Critical, a coloured one for High, plain ones below and after the end. */
export function SeverityMark({ severity, exercise, isResolved }: Props) {
  const text = useText()
  const isGrave = !isResolved && (severity === 'CRITICAL' || severity === 'HIGH')
  return (
    <Chip
      size="small"
      variant={isGrave && severity === 'CRITICAL' ? 'filled' : 'outlined'}
      icon={SEVERITY_ICONS[severity]}
      label={text('incidents.severityIs', { severity: text(`incidents.severities.${severity}`) })}
      {...(isGrave && { color: exercise ? 'warning' : 'error' })}
    />
  )
}
