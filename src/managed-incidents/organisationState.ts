import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'

import type { Translate } from '#src/kit/resource/resource.ts'

/** Colour and icon of an organisation's state (administration §4). */
export const STATES = {
  INCIDENT_IN_PROGRESS: { tone: 'error', icon: CrisisAlertRounded },
  TABLETOP_IN_PROGRESS: { tone: 'warning', icon: SchoolRounded },
  SAFE: { tone: 'success', icon: VerifiedUserRounded },
} as const

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

/** A duration in its two largest units. */
export function durationInWords(seconds: number, text: Translate): string {
  const days = Math.floor(seconds / DAY)
  const hours = Math.floor((seconds % DAY) / HOUR)
  const minutes = Math.floor((seconds % HOUR) / MINUTE)
  if (days > 0) return text('management.incidents.days', { days, hours })
  return hours > 0
    ? text('management.incidents.hours', { hours, minutes })
    : text('management.incidents.minutes', { minutes })
}
