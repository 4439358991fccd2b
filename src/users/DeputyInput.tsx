import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useMemo } from 'react'
import { useInput } from 'react-admin'

import { messageIn } from '#src/kit/form/formRules.ts'
import { useText } from '#src/kit/useText.ts'
import { MarkSuppressed } from '#src/suppressions/MarkSuppressed.tsx'

import { useChoosable } from './useChoosable.tsx'

/** A form field of the person who is asked in place of another. */
export function DeputyInput() {
  const text = useText()
  const { id, field, fieldState } = useInput({ source: 'deputy', format: undefined, parse: undefined })
  const { picker } = useChoosable({ isInternal: true, chosen: [] })
  const problem = messageIn(fieldState.error)
  const chosen = (field.value as string | null) ?? null
  const lists = useMemo(() => [picker.options, [chosen]], [picker.options, chosen])
  return (
    <MarkSuppressed lists={lists}>
      <Autocomplete
        {...picker}
        value={chosen}
        onChange={(_, email) => field.onChange(email)}
        onBlur={field.onBlur}
        clearText={text('users.clearDeputy')}
        renderInput={(params) => (
          <TextField
            {...params}
            id={id}
            inputRef={field.ref}
            label={text('users.fields.deputy')}
            placeholder={text('users.noDeputy')}
            error={problem !== undefined}
            helperText={problem ?? text('users.deputyHelp')}
            slotProps={{ ...params.slotProps, htmlInput: { ...params.slotProps.htmlInput, name: 'deputy' } }}
          />
        )}
      />
    </MarkSuppressed>
  )
}
