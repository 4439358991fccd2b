import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type UseFormReturn, useController } from 'react-hook-form'

import { isAsked } from '#contract/incident-fields/rules.ts'
import type { ChoosableKind } from '#contract/incident-kinds/schema.ts'
import { ownFields as words } from '#providers/i18n/own-fields.ts'

import type { IncidentValues } from '../form/incidentValues.ts'
import { KindIcon } from './KindIcon.tsx'
import { useDefinitions } from './queries.ts'

interface Props {
  form: UseFormReturn<IncidentValues>
  /** Values of the edited incident, which stay although another kind does not ask for them. */
  stored: Readonly<Record<string, string | number>>
  /** Proposes what goes with a kind. */
  onChoose: (kind: ChoosableKind) => void
}

/** Chooses the kind of an incident. Nothing where the organisation has none; a retired one only while it is chosen. */
export function KindChoice({ form, stored, onChoose }: Props) {
  const { data } = useDefinitions()
  const { field, fieldState } = useController({ control: form.control, name: 'kindId' })
  const kinds = (data?.kinds ?? []).filter(({ id, isRetired }) => !isRetired || id === field.value)
  if (!data || kinds.length === 0) return null
  const chosen = kinds.find(({ id }) => id === field.value)
  const choose = (id: string) => {
    field.onChange(id)
    const asked = data.fields.filter((one) => isAsked(one, id || null))
    const kept = Object.entries(form.getValues('fieldValues')).filter(
      ([one, value]) => stored[one] === value || asked.some((other) => other.id === one),
    )
    form.setValue('fieldValues', Object.fromEntries(kept), { shouldDirty: true })
    const kind = kinds.find((one) => one.id === id)
    if (kind) onChoose(kind)
  }
  const isGone = chosen?.playbookName && !chosen.isPlaybookUsable
  return (
    <div>
      <TextField
        select
        fullWidth
        label={words.kind}
        value={chosen ? field.value : ''}
        onChange={({ target }) => choose(target.value)}
        onBlur={field.onBlur}
        inputRef={field.ref}
        error={fieldState.error !== undefined}
        helperText={fieldState.error?.message}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        <MenuItem value="">{words.noKind}</MenuItem>
        {kinds.map(({ id, name, icon }) => (
          <MenuItem key={id} value={id} sx={{ whiteSpace: 'normal' }}>
            <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
              <KindIcon name={icon} />
              {name}
            </Box>
          </MenuItem>
        ))}
      </TextField>
      {isGone && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {words.playbookGone(chosen.playbookName!)}
        </Typography>
      )}
    </div>
  )
}
