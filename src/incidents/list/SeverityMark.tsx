import ArrowDropDownCircleOutlined from '@mui/icons-material/ArrowDropDownCircleOutlined'
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded'
import ReportRounded from '@mui/icons-material/ReportRounded'
import WarningRounded from '@mui/icons-material/WarningRounded'
import Chip from '@mui/material/Chip'
import type { ReactElement } from 'react'

import type { Severity } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** A shape for each severity, filled from High on, so that severity does not depend on colour or text. */
export const SEVERITY_ICONS: { readonly [S in Severity]: ReactElement } = {
  LOW: <ArrowDropDownCircleOutlined />,
  MEDIUM: <RemoveCircleOutlineRounded />,
  HIGH: <WarningRounded />,
  CRITICAL: <ReportRounded />,
}

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
