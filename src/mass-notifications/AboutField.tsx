import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import { type Control, useController, useWatch } from 'react-hook-form'

import { useText } from '#src/kit/useText.ts'

import type { Draft } from './queries.ts'
import type { NotificationSubject } from './subject.ts'

interface Props {
  control: Control<Draft>
  about: NotificationSubject
}

/** Makes the notification one about the running incident, in which its answers stand. */
export function AboutField({ control, about: { id, title } }: Props) {
  const text = useText()
  const { field, fieldState } = useController({ control, name: 'incidentId' })
  // The server takes the incident of its people.
  const isImplied = useWatch({ control, name: 'waitingIncidentId' }) !== null
  return (
    <div>
      <FormControlLabel
        control={
          <Checkbox
            slotProps={{ input: { ref: field.ref } }}
            checked={isImplied || Boolean(field.value)}
            disabled={isImplied}
            onChange={(_, isChecked) => field.onChange(isChecked ? id : null)}
          />
        }
        label={
          <>
            {text('massNotifications.about')} <bdi>{title}</bdi>
          </>
        }
        sx={{ minHeight: 44, overflowWrap: 'anywhere' }}
      />
      <FormHelperText error={fieldState.error !== undefined} sx={{ mt: 0, ml: 4 }}>
        {fieldState.error?.message ?? text('massNotifications.aboutHelp')}
      </FormHelperText>
    </div>
  )
}
