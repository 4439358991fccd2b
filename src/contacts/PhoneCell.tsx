import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { useLocaleState } from 'react-admin'

import { phoneProblem } from '#contract/contacts/rules.ts'
import type { Contact } from '#contract/contacts/schema.ts'
import { countryName } from '#src/kit/browser/countryName.ts'
import { PhoneLinks } from '#src/kit/list/PhoneLinks.tsx'
import type { WrittenPhone } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

const LOOKS = {
  pending: { icon: ScheduleRounded, color: 'warning' },
  valid: { icon: CheckCircleRounded, color: 'success' },
  invalid: { icon: ErrorRounded, color: 'error' },
} as const
const validityOf = (valid: boolean | null) => (valid === null ? 'pending' : valid ? 'valid' : 'invalid')

/** The reason why a number cannot be reached, and a remedy. */
function Why({ contact: { phone, phoneCountry } }: { contact: Contact }) {
  const text = useText()
  const [locale] = useLocaleState()
  const allowed = useConfig()?.twilioAllowedCountryCodes ?? []
  const problem = phoneProblem(phone, phoneCountry)
  const countries = allowed.map((code) => countryName(locale, code)).join(', ')
  const help = text(`contacts.phoneHelp.${problem}`, { countries })
  return (
    <Tooltip title={help} describeChild enterTouchDelay={0}>
      <Box component="span" className="cell-text" sx={{ color: 'text.secondary' }}>
        {text(`contacts.phoneProblem.${problem}`, { country: countryName(locale, phoneCountry ?? '') })}
      </Box>
    </Tooltip>
  )
}

export const phonesOf = ({
  phone,
  phoneExtension,
  secondPhone,
  secondPhoneExtension,
}: Pick<Contact, 'phone' | 'phoneExtension' | 'secondPhone' | 'secondPhoneExtension'>): WrittenPhone[] => [
  [phone, phoneExtension],
  [secondPhone, secondPhoneExtension],
]

/** A phone number, and whether it can be reached (administration §2.1). */
export function PhoneCell({ contact }: { contact: Contact }) {
  const text = useText()
  const { phone, valid } = contact
  if (phone === null) return <span className="cell-nothing">{text('grid.nothing')}</span>
  const validity = validityOf(valid)
  const { icon: Icon, color } = LOOKS[validity]
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        // On the card of a phone the reason stands below a long number.
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        columnGap: 0.75,
        minWidth: 0,
        maxWidth: '100%',
      }}
    >
      <Icon
        color={color}
        titleAccess={text(`contacts.validity.${validity}`)}
        sx={{ flex: 'none', fontSize: 16 }}
      />
      <Box component="span" sx={{ flex: 'none', display: 'grid', maxWidth: '100%' }}>
        <PhoneLinks phones={phonesOf(contact)} />
      </Box>
      {validity === 'invalid' && <Why contact={contact} />}
    </Box>
  )
}
