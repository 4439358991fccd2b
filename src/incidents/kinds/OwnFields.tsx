import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Box from '@mui/material/Box'
import { type Control, useController, useWatch } from 'react-hook-form'

import { isAsked } from '#contract/incident-fields/rules.ts'
import type { FieldDefinition } from '#contract/incident-fields/schema.ts'
import { ownFields as words } from '#providers/i18n/own-fields.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'

import type { IncidentValues } from '../form/incidentValues.ts'
import { useDefinitions } from './queries.ts'

interface OneProps {
  control: Control<IncidentValues>
  definition: FieldDefinition
}

const TYPED = { TEXT: 'text', NUMBER: 'text', LINK: 'url', DATE: 'date' } as const
/** A number that is typed with a point or a comma; another text stays as it is, and the server says what is wrong. */
function numberOf(typed: string): string | number {
  const written = typed.trim().replace(',', '.')
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(written) ? Number(written) : typed
}

function OwnField({ control, definition: { id, label, type, choices, isRequired } }: OneProps) {
  const { field, fieldState } = useController({ control, name: `fieldValues.${id}` })
  const value = field.value ?? ''
  const problem = fieldState.error?.message
  if (type === 'PERSON')
    return (
      <PersonPicker
        label={isRequired ? `${label} *` : label}
        value={value === '' ? null : String(value)}
        onChange={(email) => field.onChange(email ?? '')}
        nobody={words.person}
        clearLabel={`Clear ${label}`}
        error={problem}
      />
    )
  const isChoice = type === 'CHOICE'
  // A choice that was taken away stays on the incident that has it.
  const offered =
    isChoice && value !== '' && !choices.includes(String(value)) ? [String(value), ...choices] : choices
  return (
    <TextField
      select={isChoice}
      type={isChoice ? 'text' : TYPED[type]}
      label={label}
      required={isRequired}
      value={value}
      onChange={({ target }) => field.onChange(target.value)}
      onBlur={() => {
        if (type === 'NUMBER' && typeof value === 'string') field.onChange(numberOf(value))
        field.onBlur()
      }}
      inputRef={field.ref}
      error={problem !== undefined}
      helperText={problem}
      slotProps={{
        htmlInput: { dir: 'auto', ...(type === 'NUMBER' && { inputMode: 'decimal' }) },
        ...(isChoice && { select: { displayEmpty: true } }),
        ...((isChoice || type === 'DATE') && { inputLabel: { shrink: true } }),
      }}
    >
      {isChoice && [
        <MenuItem key="" value="">
          {words.noChoice}
        </MenuItem>,
        ...offered.map((choice) => (
          <MenuItem key={choice} value={choice} sx={{ whiteSpace: 'normal' }}>
            {choice}
          </MenuItem>
        )),
      ]}
    </TextField>
  )
}

/** The organisation's own fields that an incident of the chosen kind is asked for. */
export function OwnFields({ control }: { control: Control<IncidentValues> }) {
  const { data } = useDefinitions()
  const kindId = useWatch({ control, name: 'kindId' })
  const asked = (data?.fields ?? []).filter((one) => isAsked(one, kindId || null))
  if (asked.length === 0) return null
  return (
    <Box
      role="group"
      aria-label={words.details}
      sx={{ display: 'grid', gap: 3, alignItems: 'start', gridTemplateColumns: { sm: '1fr 1fr' } }}
    >
      {asked.map((definition) => (
        <OwnField key={definition.id} control={control} definition={definition} />
      ))}
    </Box>
  )
}
