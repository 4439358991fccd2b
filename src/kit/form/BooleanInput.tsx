import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Switch from '@mui/material/Switch'
import { useInput } from 'react-admin'

import type { TextKey } from '#providers/i18nProvider.ts'

import { useText } from '../useText.ts'

interface Props {
  source: string
  label: TextKey
  help?: TextKey
  /** A switch changes the rest of the form, a checkbox adds an option. */
  as?: 'switch' | 'checkbox'
}

export function BooleanInput({ source, label, help, as = 'switch' }: Props) {
  const text = useText()
  const { id, field } = useInput({ source })
  const Control = as === 'switch' ? Switch : Checkbox
  const helpId = `${id}-help`
  return (
    <Box>
      <FormControlLabel
        label={text(label)}
        control={
          <Control
            id={id}
            name={field.name}
            checked={field.value === true}
            onChange={(_, checked) => field.onChange(checked)}
            onBlur={() => field.onBlur()}
            slotProps={{ input: { ref: field.ref, ...(help && { 'aria-describedby': helpId }) } }}
          />
        }
      />
      {help && (
        <FormHelperText id={helpId} sx={{ mt: -0.5, pl: as === 'switch' ? 6 : 4 }}>
          {text(help)}
        </FormHelperText>
      )}
    </Box>
  )
}
