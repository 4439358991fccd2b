import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import KeyboardDoubleArrowUpRounded from '@mui/icons-material/KeyboardDoubleArrowUpRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import Chip from '@mui/material/Chip'

import { type EventLevel, LEVEL_LABELS } from '#contract/notification-templates/schema.ts'

/** Colour (administration §3) and arrow of each level, so that the meaning does not rest on colour alone. */
const LOOKS = {
  CRITICAL: { color: 'error', icon: <KeyboardDoubleArrowUpRounded /> },
  NORMAL: { color: 'success', icon: <RemoveRounded /> },
  LOW: { color: 'secondary', icon: <KeyboardArrowDownRounded /> },
} as const

/** Urgency of a notification. */
export const LevelChip = ({ level }: { level: EventLevel }) => (
  <Chip size="small" variant="outlined" label={LEVEL_LABELS[level]} {...LOOKS[level]} />
)
