import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useNotify } from 'react-admin'

import { filedProblem } from '#contract/duties/rules.ts'
import { type DutyClock, FILED_REQUIRED } from '#contract/duties/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { MEDIUM_TEXT_MAX, SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { dutyClocks as words } from '#providers/i18n/duties.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useAttachments } from '#src/attachments/useAttachments.ts'
import { localTime, momentOf } from '#src/kit/time/localTime.ts'

import { DecisionDialog } from '../decisions/DecisionDialog.tsx'
import { useFields } from '../decisions/useFields.ts'
import { WhenField } from '../timeline/WhenField.tsx'
import { useClockActs } from './queries.ts'

interface FilesProps {
  incidentId: string
  value: string[]
  onChange: (ids: string[]) => void
  problem: string | undefined
}
/** Chooses files of the incident. */
function Files({ incidentId, value, onChange, problem }: FilesProps) {
  const id = useId()
  const { data = [] } = useAttachments({ parentType: 'INCIDENT', parentId: incidentId })
  if (data.length === 0) return <Typography color="textSecondary">{words.noFiles}</Typography>
  return (
    <FormGroup role="group" aria-labelledby={id}>
      <FormLabel id={id}>{words.chooseFiles}</FormLabel>
      {data.map((file) => (
        <FormControlLabel
          key={file.id}
          control={
            <Checkbox
              checked={value.includes(file.id)}
              onChange={(_, isChosen) =>
                onChange(isChosen ? [...value, file.id] : value.filter((one) => one !== file.id))
              }
            />
          }
          label={wholeName(file)}
          sx={{ minHeight: 44, overflowWrap: 'anywhere' }}
        />
      ))}
      <FormHelperText error>{problem}</FormHelperText>
    </FormGroup>
  )
}

function useFiling(clock: DutyClock) {
  const notify = useNotify()
  const { file } = useClockActs(clock.incidentId)
  const initial = {
    filedTimestamp: localTime(new Date(serverNow()).toISOString()),
    reference: '',
    link: '',
    fileIds: [] as string[],
  }
  return useFields(initial, async ({ filedTimestamp: typed, link, ...said }, refuse) => {
    const at = momentOf(typed)
    const problem = at === null ? FILED_REQUIRED : filedProblem(at, clock.awareTimestamp, serverNow())
    if (at === null || problem !== null) {
      refuse({ filedTimestamp: problem ?? FILED_REQUIRED })
      return false
    }
    await file.mutateAsync({ clock, body: { ...said, link: link.trim() || null, filedTimestamp: at } })
    notify(words.isFiled(clock.name), { type: 'success' })
    return true
  })
}

/** Ends a clock with the proof of what was filed. */
export function FileDialog({ clock, onClose }: { clock: DutyClock; onClose: () => void }) {
  const { bind, problem, attempt, isChanged } = useFiling(clock)
  const field = (name: 'reference' | 'link', label: string, maxLength: number) => {
    const { value, onChange, problem: wrong } = bind(name)
    return (
      <TextField
        fullWidth
        label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        error={wrong !== undefined}
        helperText={wrong}
        slotProps={{ htmlInput: { maxLength, dir: 'auto', ...(name === 'link' && { inputMode: 'url' }) } }}
      />
    )
  }
  return (
    <DecisionDialog
      isChanged={isChanged}
      attempt={attempt}
      problem={problem}
      onClose={onClose}
      title={words.fileTitle(clock.name)}
      lead={words.fileLead}
      submitLabel={words.file}
      busyLabel={words.filing}
    >
      <WhenField label={words.when} {...bind('filedTimestamp')} />
      {field('reference', words.reference, SHORT_TEXT_MAX)}
      {field('link', words.link, MEDIUM_TEXT_MAX)}
      <Files incidentId={clock.incidentId} {...bind('fileIds')} />
    </DecisionDialog>
  )
}
