import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded'
import TimelapseRounded from '@mui/icons-material/TimelapseRounded'
import Box from '@mui/material/Box'
import type { ReactElement } from 'react'

import type { TaskStatus } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

type StatusStyle = { readonly color: 'error' | 'warning' | 'success'; readonly icon: ReactElement }
/** Red, amber and green (operations §4), with an icon and the word. */
export const STATUS_STYLES: { readonly [S in TaskStatus]: StatusStyle } = {
  TO_DO: { color: 'error', icon: <RadioButtonUncheckedRounded /> },
  IN_PROGRESS: { color: 'warning', icon: <TimelapseRounded /> },
  COMPLETE: { color: 'success', icon: <CheckCircleRounded /> },
}

/** The status of a task. Lighter than MUI's Chip, because a long feed renders a thousand of them. */
export function TaskStatusChip({ status }: { status: TaskStatus }) {
  const text = useText()
  const { color, icon } = STATUS_STYLES[status]
  return (
    <Box
      component="span"
      data-status={status}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 0.5,
        flex: 'none',
        height: 24,
        px: 1,
        borderRadius: '6px',
        fontSize: '0.75rem',
        fontWeight: 600,
        whiteSpace: 'nowrap',
        color: `${color}.main`,
        border: `1px solid color-mix(in srgb, var(--m-palette-${color}-main) 36%, transparent)`,
        bgcolor: `color-mix(in srgb, var(--m-palette-${color}-main) 5%, transparent)`,
        '& svg': { fontSize: 16 },
      }}
    >
      {icon}
      {text(`incidents.statuses.${status}`)}
    </Box>
  )
}
