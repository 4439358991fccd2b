import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useInput } from 'react-admin'
import { useState } from 'react'

import type { incidentKindsApi } from '#contract/incident-kinds/api.ts'
import { type IncidentKind, KIND_ICONS } from '#contract/incident-kinds/schema.ts'
import { roleRecords } from '#contract/incident-roles/api.ts'
import { SEVERITIES } from '#contract/incidents/schema.ts'
import { call } from '#providers/api.ts'
import { incidentKinds, incidentKindWords } from '#providers/i18n/incident-kinds.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { messageIn } from '#src/kit/form/formRules.ts'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { useText } from '#src/kit/useText.ts'

import { PlaybookPicker } from '../playbooks/PlaybookPicker.tsx'
import { KindIcon } from './KindIcon.tsx'
import { SeveralInput } from './SeveralInput.tsx'

const words = ownTexts(incidentKinds)
const NONE: readonly never[] = []

/** The icon with its name, so that the choice does not rest on the picture alone. */
function IconInput() {
  const { id, field } = useInput({ source: 'icon' })
  return (
    <TextField
      select
      id={id}
      name={field.name}
      label={incidentKinds.icon}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
    >
      {KIND_ICONS.map((icon) => (
        <MenuItem key={icon} value={icon}>
          <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
            <KindIcon name={icon} />
            {incidentKindWords.icons[icon]}
          </Box>
        </MenuItem>
      ))}
    </TextField>
  )
}

function SeverityInput() {
  const text = useText()
  const { id, field } = useInput({ source: 'severity', format: undefined, parse: undefined })
  return (
    <TextField
      select
      id={id}
      name={field.name}
      label={incidentKinds.severity}
      value={field.value ?? ''}
      onChange={({ target }) => field.onChange(target.value || null)}
      onBlur={field.onBlur}
      inputRef={field.ref}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{incidentKinds.noSeverity}</MenuItem>
      {SEVERITIES.map((severity) => (
        <MenuItem key={severity} value={severity}>
          {text(`incidents.severities.${severity}`)}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** The proposed playbook. One that was archived or deleted is named, and can be taken away. */
function PlaybookInput({ record }: { record: IncidentKind | undefined }) {
  const { field, fieldState } = useInput({ source: 'playbookId', format: undefined, parse: undefined })
  const known = record?.playbookId ? { id: record.playbookId, name: record.playbookName ?? '' } : null
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>(known)
  const isGone = record !== undefined && !record.isPlaybookUsable && field.value === record.playbookId
  return (
    <PlaybookPicker
      value={field.value === chosen?.id ? chosen : null}
      onChange={(playbook) => {
        setChosen(playbook)
        field.onChange(playbook?.id ?? null)
      }}
      error={
        messageIn(fieldState.error) ??
        (isGone && record.playbookName ? incidentKindWords.playbookGone(record.playbookName) : undefined)
      }
    />
  )
}

/** The inputs of a kind. */
export function KindInputs({
  inputs: { BooleanInput, TextInput },
  record,
}: InputsOf<typeof incidentKindsApi>) {
  const { data: roles = NONE } = useQuery({
    queryKey: ['incident-roles', 'choices'],
    queryFn: ({ signal }) => call(roleRecords.list, { signal }),
  })
  return (
    <>
      <TextInput source="name" label={words.name} required autoFocus={!record} />
      <IconInput />
      <SeverityInput />
      <PlaybookInput record={record} />
      <SeveralInput source="roleIds" label={words.roles} choices={roles} none={incidentKinds.noSeverity} />
      <BooleanInput source="isRetired" label={words.retired} help={words.retiredHelp} />
    </>
  )
}
