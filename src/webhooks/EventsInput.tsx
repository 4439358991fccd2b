import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { useInput } from 'react-admin'

import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/webhooks/schema.ts'
import { webhookDetail as words } from '#providers/i18n/webhook-detail.ts'
import { messageIn } from '#src/kit/form/formRules.ts'

/** The events of a webhook, as checkboxes. */
export function EventsInput() {
  const { field, fieldState } = useInput({ source: 'events', format: undefined, parse: undefined })
  const chosen = (field.value ?? []) as readonly WebhookEvent[]
  const problem = messageIn(fieldState.error)
  const toggle = (event: WebhookEvent) =>
    field.onChange(chosen.includes(event) ? chosen.filter((other) => other !== event) : [...chosen, event])
  return (
    <FormControl component="fieldset" error={problem !== undefined}>
      <FormLabel component="legend" sx={{ fontWeight: 600, mb: 0.5 }}>
        {words.events}
      </FormLabel>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {WEBHOOK_EVENTS.map((event, n) => (
          <FormControlLabel
            key={event}
            label={words.types[event]}
            sx={{ minHeight: { xs: 44, sm: 38 } }}
            control={
              <Checkbox
                checked={chosen.includes(event)}
                onChange={() => toggle(event)}
                onBlur={() => field.onBlur()}
                {...(n === 0 && { slotProps: { input: { ref: field.ref } } })}
              />
            }
          />
        ))}
      </Box>
      {problem !== undefined && <FormHelperText>{problem}</FormHelperText>}
    </FormControl>
  )
}
