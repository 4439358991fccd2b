import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { shortTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Difference } from './Difference.tsx'
import { useChangesSince } from './useChangesSince.ts'
import type { Conflict } from './usePlaybookSave.ts'

interface Props {
  conflict: Conflict
  opened: OpenedPlaybook | undefined
  version: number | null
  current: OpenedPlaybook
  onSaveOver: (version: number) => Promise<void>
  onSaveAsNew: () => Promise<void>
  onKeepEditing: () => void
}

/** A save refused because of somebody else's: their change, and the ways to continue. */
export function ConflictDialog(props: Props) {
  const { conflict, opened, version, current, onSaveOver, onSaveAsNew, onKeepEditing } = props
  const text = useText()
  const titleId = useId()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const changes = useChangesSince(opened, version, current)
  const over = useSubmitOnce(() => onSaveOver(current.version))
  const asNew = useSubmitOnce(onSaveAsNew)
  const isStale = conflict === 'stale'
  // The newest version must be loaded and shown before it can be replaced.
  const isLoading = isStale && current.version === version
  const time = shortTime(locale, Date.parse(current.updateTimestamp))
  return (
    <Dialog open onClose={onKeepEditing} maxWidth="md" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>
        {text(isStale ? 'playbooks.staleTitle' : 'playbooks.deletedTitle')}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText>
          {isStale
            ? text('playbooks.staleText', { name: nameOf(current.updatedBy), time })
            : text('playbooks.deletedText')}
        </DialogContentText>
        {isStale && <Difference before={isLoading ? undefined : changes.before} after={changes.after} />}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1 }}>
        <Button color="inherit" onClick={onKeepEditing}>
          {text('playbooks.keepEditing')}
        </Button>
        <Button loading={asNew.busy} onClick={asNew.submit}>
          {text('playbooks.saveAsNew')}
        </Button>
        {isStale && (
          <Button
            variant="contained"
            color="error"
            disabled={isLoading}
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
