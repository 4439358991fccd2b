import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useMemo } from 'react'

import { SEVERITIES } from '#contract/incidents/schema.ts'
import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { PLAYBOOK_KINDS, type PlaybookProposal, type PlaybookStart } from '#contract/playbooks/schema.ts'
import { usePeople } from '#providers/people.ts'
import { useText } from '#src/kit/useText.ts'
import { useChoosable } from '#src/users/useChoosable.tsx'

import { useGroupOptions, useTemplateOptions } from '../startQueries.ts'
import type { EditorErrors, EditorFields } from './editorValues.ts'

interface Props {
  fields: Pick<EditorFields, 'proposal' | 'start'>
  errors: EditorErrors['fields']
  onChange: (changes: Partial<EditorFields>) => void
}
const columns = {
  display: 'grid',
  gap: 2,
  alignItems: 'start',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(260px, 100%), 1fr))',
} as const

interface ChoicesProps<Value extends string> {
  label: string
  help?: string | undefined
  options: readonly Value[]
  value: readonly Value[]
  labelOf: (value: Value) => string
  onChange: (values: Value[]) => void
}
/** Chooses several of a few values. */
function Choices<Value extends string>({
  label,
  help,
  options,
  value,
  labelOf,
  onChange,
}: ChoicesProps<Value>) {
  return (
    <TextField
      select
      label={label}
      helperText={help}
      value={[...value]}
      onChange={({ target }) => onChange(target.value as unknown as Value[])}
      slotProps={{
        select: { multiple: true, renderValue: (values) => (values as Value[]).map(labelOf).join(', ') },
      }}
    >
      {options.map((option) => (
        <MenuItem key={option} value={option}>
          {labelOf(option)}
        </MenuItem>
      ))}
    </TextField>
  )
}

function Proposal({
  value,
  error,
  onChange,
}: {
  value: PlaybookProposal
  error: string | undefined
  onChange: (proposal: PlaybookProposal) => void
}) {
  const text = useText()
  const words = useMemo(() => [...value.words], [value.words])
  return (
    <Box sx={columns}>
      <Autocomplete
        multiple
        freeSolo
        autoSelect
        size="small"
        options={NO_OPTIONS}
        value={words}
        onChange={(_, next) => onChange({ ...value, words: next.map((word) => word.trim()).filter(Boolean) })}
        renderInput={(params) => (
          <TextField
            {...params}
            label={text('playbooks.proposalWords')}
            error={error !== undefined}
            helperText={error ?? text('playbooks.proposalWordsHelp')}
          />
        )}
      />
      <Choices
        label={text('playbooks.proposalKinds')}
        options={PLAYBOOK_KINDS}
        value={value.kinds}
        labelOf={(kind) => text(`playbooks.kinds.${kind}`)}
        onChange={(kinds) => onChange({ ...value, kinds })}
      />
      <Choices
        label={text('playbooks.proposalSeverities')}
        options={SEVERITIES}
        value={value.severities}
        labelOf={(severity) => text(`incidents.severities.${severity}`)}
        onChange={(severities) => onChange({ ...value, severities })}
      />
    </Box>
  )
}
const NO_OPTIONS: readonly string[] = []

interface StartProps {
  value: PlaybookStart
  error: string | undefined
  onChange: (start: PlaybookStart) => void
}
function AddedPeople({ value, error, onChange }: StartProps) {
  const text = useText()
  const { nameOf } = usePeople()
  const { picker } = useChoosable({ isInternal: true, isTargetable: true, chosen: value.people })
  const { data: groups } = useGroupOptions()
  const people = useMemo(() => [...value.people], [value.people])
  const chosen = useMemo(
    () => value.groupIds.map((id) => ({ id, name: groups?.find((group) => group.id === id)?.name ?? '…' })),
    [value.groupIds, groups],
  )
  return (
    <Box sx={columns}>
      <Autocomplete
        {...picker}
        multiple
        size="small"
        value={people}
        onChange={(_, emails) => onChange({ ...value, people: emails })}
        getOptionLabel={(email) => nameOf(email)}
        filterOptions={(emails) => emails.filter((email) => !value.people.includes(email))}
        disableCloseOnSelect
        renderInput={(params) => (
          <TextField
            {...params}
            label={text('playbooks.addedPeople')}
            error={error !== undefined}
            helperText={error ?? text('playbooks.addedPeopleHelp')}
          />
        )}
      />
      {(groups ?? value.groupIds).length > 0 && (
        <Autocomplete
          multiple
          size="small"
          options={groups ?? chosen}
          value={chosen}
          onChange={(_, next) => onChange({ ...value, groupIds: next.map(({ id }) => id) })}
          getOptionLabel={({ name }) => name}
          getOptionKey={({ id }) => id}
          isOptionEqualToValue={(a, b) => a.id === b.id}
          filterSelectedOptions
          disableCloseOnSelect
          openText={text('people.openList')}
          closeText={text('people.closeList')}
          renderInput={(params) => <TextField {...params} label={text('playbooks.addedGroups')} />}
        />
      )}
    </Box>
  )
}

function Start({ value, error, onChange }: StartProps) {
  const text = useText()
  const { data: templates } = useTemplateOptions()
  const { notificationTemplateId: templateId } = value
  const isKnown = templateId === null || templates?.some(({ id }) => id === templateId)
  return (
    <>
      <FormControlLabel
        control={
          <Switch
            checked={value.createRoom}
            onChange={(_, createRoom) => onChange({ ...value, createRoom })}
          />
        }
        label={text('playbooks.startRoom')}
      />
      <AddedPeople value={value} error={error} onChange={onChange} />
      <TextField
        label={text('playbooks.firstMessage')}
        value={value.firstMessage}
        onChange={({ target }) => onChange({ ...value, firstMessage: target.value })}
        multiline
        minRows={2}
        maxRows={8}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: MEDIUM_TEXT_MAX } }}
      />
      {(templates || templateId !== null) && (
        <TextField
          select
          label={text('playbooks.startTemplate')}
          value={isKnown ? (templateId ?? 'none') : 'unknown'}
          onChange={({ target }) =>
            onChange({ ...value, notificationTemplateId: target.value === 'none' ? null : target.value })
          }
        >
          <MenuItem value="none">{text('playbooks.noTemplate')}</MenuItem>
          {!isKnown && <MenuItem value="unknown">{'…'}</MenuItem>}
          {templates?.map(({ id, title }) => (
            <MenuItem key={id} value={id}>
              {title}
            </MenuItem>
          ))}
        </TextField>
      )}
    </>
  )
}

/** The incidents for which the playbook is proposed, and its acts at their start. */
export function StartFields({ fields: { proposal, start }, errors, onChange }: Props) {
  const text = useText()
  return (
    <Box sx={{ display: 'grid', gap: 2, pt: 1 }}>
      <Typography variant="subtitle2" component="h2">
        {text('playbooks.proposal')}
      </Typography>
      <Proposal value={proposal} error={errors.proposal} onChange={(next) => onChange({ proposal: next })} />
      <Typography variant="subtitle2" component="h2">
        {text('playbooks.startActs')}
      </Typography>
      <Start value={start} error={errors.start} onChange={(next) => onChange({ start: next })} />
    </Box>
  )
}
