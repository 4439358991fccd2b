import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import HowToRegRounded from '@mui/icons-material/HowToRegRounded'
import UndoRounded from '@mui/icons-material/UndoRounded'

import type { DraftState } from '#contract/playbooks/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'

const STYLES = {
  DRAFT: { icon: EditNoteRounded, tone: 'neutral' },
  WAITING: { icon: HowToRegRounded, tone: 'warning' },
  RETURNED: { icon: UndoRounded, tone: 'warning' },
} as const

/** Marks a playbook with a draft. */
export function DraftMark({ state }: { state: DraftState }) {
  const text = useText()
  return <StatusChip {...STYLES[state]} label={text(`playbooks.draftStates.${state}`)} />
}
