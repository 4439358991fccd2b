import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import type { OpenedPlaybook, PlaybookContent, PlaybookDraft } from '#contract/playbooks/schema.ts'
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

interface Theirs {
  readonly before: PlaybookContent | undefined
  readonly after: PlaybookContent | undefined
  /** True once their save is shown: only then can it be replaced. */
  readonly isShown: boolean
  /** Saved state that a save over theirs replaces. */
  readonly base: Base
  /** Null for a draft that was published or discarded. */
  readonly by: string | null
  readonly at: string
}

/** The draft of another person, compared with what the editor was opened with. */
function useTheirDraft({ conflict, opened, current, openedDraft, draftRevision }: Props): Theirs {
  const saved = current.draft
  const { data: draft } = useDraft(current.id, conflict === 'draft' ? saved?.revision : undefined)
  return {
    before: openedDraft?.content ?? opened,
    after: draft?.content,
    isShown: saved === null || (draft !== undefined && draft.revision !== draftRevision),
    base: { version: current.version, draftRevision: saved?.revision },
    by: saved?.savedBy ?? null,
    at: saved?.savedTimestamp ?? current.updateTimestamp,
  }
}

/** Another person's save, compared with what the editor was opened with. */
function useTheirs(props: Props): Theirs {
  const { conflict, opened, version, current, draftRevision } = props
  const changes = useChangesSince(opened, version, current)
  const draft = useTheirDraft(props)
  if (conflict === 'draft') return draft
  const isShown = current.version !== version
  return {
    before: isShown ? changes.before : undefined,
    after: changes.after,
    isShown,
    base: { version: current.version, draftRevision },
    by: current.updatedBy,
    at: current.updateTimestamp,
  }
}

/** A save refused because of somebody else's: their change, and the ways to continue. */
export function ConflictDialog(props: Props) {
  const { conflict, onSaveOver, onSaveAsNew, onKeepEditing } = props
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
