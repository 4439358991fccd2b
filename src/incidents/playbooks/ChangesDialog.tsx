import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'

import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useText } from '#src/kit/useText.ts'
import { PlaybookDifference } from '#src/playbooks/PlaybookDifference.tsx'

import { usePlaybook, usePlaybookVersion } from './queries.ts'

interface Props {
  playbookId: string
  /** Version that the incident copied. */
  version: number
  onClose: () => void
}

/** Changes of a playbook since an incident copied it. The incident keeps its copy. */
export function ChangesDialog({ playbookId, version, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const before = usePlaybookVersion(playbookId, version)
  const after = usePlaybook(playbookId)
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>
        {text('incidents.playbookChangesTitle', { name: after.data?.name ?? '…' })}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText>{text('incidents.playbookChangesText', { version })}</DialogContentText>
        {before.data && after.data ? (
          <PlaybookDifference before={before.data.content} after={after.data} />
        ) : (
          <Awaiting queries={[before, after]} height={240} />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{text('kit.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
