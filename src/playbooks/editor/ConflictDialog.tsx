import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import type { OpenedPlaybook, PlaybookDraft } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { shortTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Difference } from './Difference.tsx'
import { useChangesSince } from './useChangesSince.ts'
import { useDraft } from '../queries.ts'
import type { Base, Conflict } from './usePlaybookSave.ts'

interface Props {
  conflict: Conflict
  opened: OpenedPlaybook | undefined
  version: number | null
  current: OpenedPlaybook
  /** The draft that the editor continues. */
  openedDraft: PlaybookDraft | undefined
  draftRevision: string | undefined
  onSaveOver: (base: Base) => Promise<void>
  onSaveAsNew: () => Promise<void>
  onKeepEditing: () => void
}

/** What the other person saved, compared with what the editor was opened with. */
function useTheirs({ conflict, opened, version, current, openedDraft, draftRevision }: Props) {
  const changes = useChangesSince(opened, version, current)
  const revision = conflict === 'draft' ? current.draft?.revision : undefined
  const { data: draft } = useDraft(current.id, revision)
  // The newest save must be loaded and shown before it can be replaced.
  if (conflict !== 'draft') {
    const isShown = current.version !== version
    const before = isShown ? changes.before : undefined
    const base: Base = { version: current.version, draftRevision }
    return { ...changes, before, isShown, base, by: current.updatedBy, at: current.updateTimestamp }
  }
  const isGone = current.draft === null
  return {
    before: openedDraft?.content ?? changes.before ?? opened,
    after: draft?.content,
    isShown: isGone || (draft !== undefined && draft.revision !== draftRevision),
    base: { version: current.version, draftRevision: current.draft?.revision },
    by: isGone ? null : (current.draft?.savedBy ?? null),
    at: current.draft?.savedTimestamp ?? current.updateTimestamp,
  }
}

/** A save refused because of somebody else's: their change, and the ways to continue. */
export function ConflictDialog(props: Props) {
  const { conflict, current, onSaveOver, onSaveAsNew, onKeepEditing } = props
  const text = useText()
  const titleId = useId()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const theirs = useTheirs(props)
  const over = useSubmitOnce(() => onSaveOver(theirs.base))
  const asNew = useSubmitOnce(onSaveAsNew)
  const isDeleted = conflict === 'deleted'
  const time = shortTime(locale, Date.parse(theirs.at))
  return (
    <Dialog open onClose={onKeepEditing} maxWidth="md" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>
        {text(isDeleted ? 'playbooks.deletedTitle' : 'playbooks.staleTitle')}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText>
          {isDeleted
            ? text('playbooks.deletedText')
            : theirs.by === null
              ? text('playbooks.draftGone')
              : text('playbooks.staleText', { name: nameOf(theirs.by), time })}
        </DialogContentText>
        {!isDeleted && theirs.by !== null && <Difference before={theirs.before} after={theirs.after} />}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1 }}>
        <Button color="inherit" onClick={onKeepEditing}>
          {text('playbooks.keepEditing')}
        </Button>
        <Button loading={asNew.busy} onClick={asNew.submit}>
          {text('playbooks.saveAsNew')}
        </Button>
        {!isDeleted && (
          <Button
            variant="contained"
            color="error"
            disabled={!theirs.isShown}
            loading={over.busy}
            onClick={over.submit}
          >
            {text('playbooks.saveMine')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
