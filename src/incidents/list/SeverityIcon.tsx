import ArrowDropDownCircleOutlined from '@mui/icons-material/ArrowDropDownCircleOutlined'
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded'
import ReportRounded from '@mui/icons-material/ReportRounded'
import WarningRounded from '@mui/icons-material/WarningRounded'
import type { ReactElement } from 'react'

import type { Severity } from '#contract/incidents/schema.ts'

/** A shape for each severity, filled from High on, so that severity does not depend on colour or text. */
export const SEVERITY_ICONS: { readonly [S in Severity]: ReactElement } = {
  LOW: <ArrowDropDownCircleOutlined />,
  MEDIUM: <RemoveCircleOutlineRounded />,
  HIGH: <WarningRounded />,
  CRITICAL: <ReportRounded />,
}
