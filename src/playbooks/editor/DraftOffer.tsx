import Button from '@mui/material/Button'
import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import type { KeptDraft } from '#src/kit/form/useKeptDraft.ts'
import { shortTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import type { EditorState } from './editorValues.ts'

interface Props {
  draft: KeptDraft<EditorState>
  playbook: OpenedPlaybook | undefined
  onContinue: () => void
  onDiscard: () => void
}

/** Offers the draft of an earlier visit, before the editor opens. */
export function DraftOffer({ draft, playbook, onContinue, onDiscard }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { nameOf } = usePeople()
  const { version } = draft.value
  const isOutdated = playbook !== undefined && version !== null && playbook.version > version
  return (
    <Paper variant="outlined" sx={{ p: { xs: 2, md: 3 }, display: 'grid', gap: 1.5 }}>
      <Typography variant="h2">{text('playbooks.draftTitle')}</Typography>
      <Typography dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {draft.value.fields.name}
      </Typography>
      <Typography color="textSecondary">{text('playbooks.draftText')}</Typography>
      {isOutdated && (
        <Typography>
          {text('playbooks.draftStale', {
            name: nameOf(playbook.updatedBy),
            time: shortTime(locale, Date.parse(playbook.updateTimestamp)),
          })}
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
        <Button color="inherit" onClick={onDiscard}>
          {text('playbooks.draftDiscard')}
        </Button>
        <Button variant="contained" onClick={onContinue}>
          {text('playbooks.draftContinue', { time: shortTime(locale, draft.at) })}
        </Button>
      </Box>
    </Paper>
  )
}
