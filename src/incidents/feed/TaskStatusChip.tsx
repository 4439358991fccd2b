import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import DoNotDisturbOnOutlined from '@mui/icons-material/DoNotDisturbOnOutlined'
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

interface Props {
  status: TaskStatus
  /** True for an open task of a resolved incident that needs it no more. */
  isNotNeeded?: boolean
}

/** The status of a task. Lighter than MUI's Chip, because a long feed renders a thousand of them. */
export function TaskStatusChip({ status, isNotNeeded = false }: Props) {
  const text = useText()
  const { color, icon } = STATUS_STYLES[status]
  const skin = isNotNeeded
    ? { color: 'text.secondary', border: '1px solid', borderColor: 'divider' }
    : {
        color: `${color}.main`,
        border: `1px solid color-mix(in srgb, var(--m-palette-${color}-main) 36%, transparent)`,
        bgcolor: `color-mix(in srgb, var(--m-palette-${color}-main) 5%, transparent)`,
      }
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
        ...skin,
        '& svg': { fontSize: 16 },
      }}
    >
      {isNotNeeded ? <DoNotDisturbOnOutlined /> : icon}
      {text(isNotNeeded ? 'incidents.openTasksWords.NOT_NEEDED' : `incidents.statuses.${status}`)}
    </Box>
  )
}
