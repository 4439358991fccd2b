import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { type Control, Controller, useWatch } from 'react-hook-form'

import { useText } from '#src/kit/useText.ts'

import { PeoplePicker } from './PeoplePicker.tsx'

interface Values {
  onlySelected: boolean
  targetedUsers: string[]
}

/** Whom the incident concerns: everybody, or only selected people. */
export function TargetField<T extends Values>({ control }: { control: Control<T> }) {
  const text = useText()
  // The form has more fields than these two; they are all that is looked at here.
  const own = control as unknown as Control<Values>
  const onlySelected = useWatch({ control: own, name: 'onlySelected' })
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Controller
        control={own}
        name="onlySelected"
        render={({ field }) => (
          <FormControlLabel
            control={
              <Switch
                slotProps={{ input: { ref: field.ref } }}
                sx={{
                  '& .MuiSwitch-thumb': { border: 1, borderColor: 'background.edge', boxShadow: 'none' },
                }}
                checked={field.value}
                onChange={(_, checked) => field.onChange(checked)}
              />
            }
            label={
              <>
                <Box component="span" sx={{ display: 'block', fontWeight: 600 }}>
                  {text('incidents.onlySelected')}
                </Box>
                <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                  {text(onlySelected ? 'incidents.onlySelectedText' : 'incidents.everybodyText')}
                </Box>
              </>
            }
            sx={{ ml: -1, gap: 1 }}
          />
        )}
      />
      {onlySelected && (
        <Controller
          control={own}
          name="targetedUsers"
          render={({ field, fieldState }) => (
            <PeoplePicker
              label={text('incidents.people')}
              value={field.value}
              onChange={field.onChange}
              inputRef={field.ref}
              error={fieldState.error?.message}
            />
          )}
        />
      )}
    </Box>
  )
}
