import EventRepeatRounded from '@mui/icons-material/EventRepeatRounded'

import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'

/** Marks a playbook whose review date has come. */
export function ReviewMark() {
  const text = useText()
  return <StatusChip icon={EventRepeatRounded} label={text('playbooks.reviewDue')} tone="warning" />
}
