import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import { type Control, useController } from 'react-hook-form'

import { escalations as words } from '#providers/i18n/escalations.ts'

import { MinutesField } from './MinutesField.tsx'
import type { Draft } from './queries.ts'

/** Minutes until the next one is asked, at first. */
const FIRST_MINUTES = 5

/** Asks the members of the chosen group one after the other. */
export function OrderField({ control }: { control: Control<Draft> }) {
  const { field, fieldState } = useController({ control, name: 'inOrderMinutes' })
  const minutes = field.value ?? null
  const problem = fieldState.error?.message
  return (
    <Box>
      <FormControlLabel
        control={
          <Checkbox
            slotProps={{ input: { ref: field.ref } }}
            checked={minutes !== null}
            onChange={(_, isChecked) => field.onChange(isChecked ? FIRST_MINUTES : null)}
          />
        }
        label={words.order}
        sx={{ minHeight: 44 }}
      />
      {minutes !== null && (
        <Box sx={{ ml: 4, maxWidth: 280 }}>
          <MinutesField
            value={minutes}
            visibleLabel={words.orderMinutes}
            isWrong={problem !== undefined}
            help={words.orderHelp}
            onChange={field.onChange}
          />
        </Box>
      )}
      {problem && <FormHelperText error>{problem}</FormHelperText>}
    </Box>
  )
}
