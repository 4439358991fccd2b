import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useState } from 'react'

import type { PlaybookForIncident } from '#contract/playbooks/rules.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  playbooks: readonly PlaybookForIncident[]
  value: PlaybookForIncident | null
  onChange: (playbook: PlaybookForIncident | null) => void
  /** Whether something would be replaced that somebody wrote. */
  replaces: () => boolean
}

/** Chooses the playbook that the incident begins with: it fills the description, the first tasks and the files. */
export function PlaybookField({ playbooks, value, onChange, replaces }: Props) {
  const text = useText()
  const [asked, setAsked] = useState<PlaybookForIncident | null>(null)
  return (
    <>
      <Autocomplete
        options={playbooks}
        value={value}
        onChange={(_, playbook) => {
          if (playbook && replaces()) setAsked(playbook)
          else onChange(playbook)
        }}
        getOptionLabel={({ name }) => name}
        getOptionKey={({ id }) => id}
        isOptionEqualToValue={(a, b) => a.id === b.id}
        autoHighlight
        noOptionsText={text('incidents.noPlaybookFound')}
        clearText={text('incidents.clearPlaybook')}
        openText={text('people.openList')}
        closeText={text('people.closeList')}
        renderInput={(params) => (
          <TextField
            {...params}
            label={text('incidents.playbook')}
            placeholder={text('incidents.noPlaybook')}
            helperText={text('incidents.playbookText')}
          />
        )}
      />
      <ConfirmDialog
        open={asked !== null}
        title={text('incidents.playbookTitle')}
        text={text('incidents.playbookReplaces', { name: asked?.name ?? '' })}
        submitLabel={text('incidents.playbookSubmit')}
        onSubmit={() => onChange(asked)}
        onClose={() => setAsked(null)}
      />
    </>
  )
}
