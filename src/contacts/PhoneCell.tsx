import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'

import type { Contact } from '#contract/contacts/schema.ts'
import { readablePhone } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

const LOOKS = {
  pending: { icon: ScheduleRounded, color: 'warning' },
  valid: { icon: CheckCircleRounded, color: 'success' },
  invalid: { icon: ErrorRounded, color: 'error' },
} as const
const validityOf = (valid: boolean | null) => (valid === null ? 'pending' : valid ? 'valid' : 'invalid')

/** A phone number, and whether it can be reached (administration §2.1). */
export function PhoneCell({ contact: { phone, valid } }: { contact: Contact }) {
  const text = useText()
  if (phone === null) return <span className="cell-nothing">{text('grid.nothing')}</span>
  const validity = validityOf(valid)
  const { icon: Icon, color } = LOOKS[validity]
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
      <Icon
        color={color}
        titleAccess={text(`contacts.validity.${validity}`)}
        sx={{ flex: 'none', fontSize: 16 }}
      />
      <span className="cell-text">{readablePhone(phone)}</span>
    </Box>
  )
}
