import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import KeyboardDoubleArrowUpRounded from '@mui/icons-material/KeyboardDoubleArrowUpRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import Chip from '@mui/material/Chip'

import { type EventLevel, LEVEL_LABELS } from '#contract/notification-templates/schema.ts'

/** Its colour (administration §3), and an arrow that says the same without one. */
const LOOKS = {
  CRITICAL: { color: 'error', icon: <KeyboardDoubleArrowUpRounded /> },
  NORMAL: { color: 'success', icon: <RemoveRounded /> },
  LOW: { color: 'secondary', icon: <KeyboardArrowDownRounded /> },
} as const

/** How urgent a notification is. */
export const LevelChip = ({ level }: { level: EventLevel }) => (
  <Chip size="small" variant="outlined" label={LEVEL_LABELS[level]} {...LOOKS[level]} />
)
