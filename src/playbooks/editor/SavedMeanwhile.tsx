import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { shortTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { Difference } from './Difference.tsx'
import { useChangesSince } from './useChangesSince.ts'

interface Props {
  opened: OpenedPlaybook | undefined
  version: number | null
  current: OpenedPlaybook
  onTakeTheirs: () => void
}

/** Warns that somebody else has saved while the editor is open, before either side loses changes. */
export function SavedMeanwhile({ opened, version, current, onTakeTheirs }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const [isShown, setShown] = useState(false)
  const [isAsked, setAsked] = useState(false)
  /** Version whose warning was dismissed. */
  const [dismissed, setDismissed] = useState<number>()
  const changes = useChangesSince(opened, version, current)
  if (dismissed === current.version) return null
  const time = shortTime(locale, Date.parse(current.updateTimestamp))
  return (
    <Alert severity="warning" role="status">
      {text('playbooks.savedMeanwhile', { name: nameOf(current.updatedBy), time })}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
        <Button size="small" color="inherit" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {text(isShown ? 'playbooks.hideChanges' : 'playbooks.seeChanges')}
        </Button>
        <Button size="small" color="inherit" onClick={() => setAsked(true)}>
          {text('playbooks.takeTheirs')}
        </Button>
        <Button size="small" color="inherit" onClick={() => setDismissed(current.version)}>
          {text('playbooks.keepEditing')}
        </Button>
      </Box>
      {isShown && (
        <Box sx={{ mt: 1.5, p: 1.5, bgcolor: 'background.paper', color: 'text.primary', borderRadius: 1 }}>
          <Difference {...changes} />
        </Box>
      )}
      <ConfirmDialog
        open={isAsked}
        title={text('playbooks.takeTheirsTitle')}
        text={text('playbooks.takeTheirsText')}
        submitLabel={text('playbooks.takeTheirs')}
        destructive
        onSubmit={onTakeTheirs}
        onClose={() => setAsked(false)}
      />
    </Alert>
  )
}
