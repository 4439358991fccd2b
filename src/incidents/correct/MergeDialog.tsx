import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { useNavigate } from 'react-router-dom'

import { isIncomplete } from '#contract/incidents/rules.ts'
import type { Incident, LinkedIncident } from '#contract/incidents/schema.ts'
import { corrections as words } from '#providers/i18n/corrections.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'

import { ReasonField } from './ReasonField.tsx'
import { useMerge, useMergeable } from './queries.ts'

/** Ends an incident as the duplicate of another one, and goes on to that one. */
export function MergeDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const notify = useNotify()
  const navigate = useNavigate()
  const merge = useMerge(incident.id)
  const mergeable = useMergeable(incident)
  const [into, setInto] = useState<LinkedIncident | null>(null)
  const [reason, setReason] = useState('')
  const [copyTasks, setCopyTasks] = useState(true)
  const open = incident.activities.filter(isIncomplete).length
  const submit = async () => {
    if (!into) return
    await merge.mutateAsync({ into: into.id, reason, copyTasks })
    notify(words.merged, { type: 'success' })
    void navigate(`/incidents/${into.id}`)
  }
  const offered = mergeable.data ?? []
  const isEmpty = mergeable.data !== undefined && offered.length === 0
  return (
    <ConfirmDialog
      open
      title={words.mergeTitle[incident.type]}
      text={words.mergeText(incident.title)}
      submitLabel={words.mergeSubmit}
      disabled={!into || reason.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ mt: 2, display: 'grid', gap: 2 }}>
        {isAwaiting([mergeable]) ? (
          <Awaiting queries={[mergeable]} height={160} />
        ) : isEmpty ? (
          <FormHelperText>{words.mergeNone}</FormHelperText>
        ) : (
          <>
            <Autocomplete
              options={offered}
              value={into}
              onChange={(_, chosen) => setInto(chosen)}
              getOptionLabel={({ number, title }) => `${number} ${title}`}
              getOptionKey={({ id }) => id}
              isOptionEqualToValue={(one, other) => one.id === other.id}
              renderInput={(props) => <TextField {...props} required label={words.mergeInto} />}
            />
            <ReasonField value={reason} onChange={setReason} isRequired />
            {open > 0 && (
              <div>
                <FormControlLabel
                  control={<Checkbox checked={copyTasks} onChange={(_, next) => setCopyTasks(next)} />}
                  label={words.mergeTasks(open)}
                />
                <FormHelperText>{words.mergeTasksHelp}</FormHelperText>
              </div>
            )}
          </>
        )}
      </Box>
    </ConfirmDialog>
  )
}
