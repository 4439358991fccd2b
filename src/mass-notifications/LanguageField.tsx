import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { Ref } from 'react'

import { MESSAGE_LANGUAGES, type MessageLanguage } from '#contract/notification-templates/schema.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  value: MessageLanguage | null
  onChange: (language: MessageLanguage | null) => void
  inputRef?: Ref<HTMLElement>
}

/** Language in which a message is spoken, and of the words that the product adds. */
export function LanguageField({ value, onChange, inputRef }: Props) {
  const text = useText()
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  const own = text('massNotifications.ownLanguage')
  return (
    <TextField
      select
      label={text('massNotifications.language')}
      helperText={text('massNotifications.languageHelp')}
      value={value ?? ''}
      onChange={({ target }) => onChange((target.value || null) as MessageLanguage | null)}
      inputRef={inputRef}
      slotProps={{
        inputLabel: { shrink: true },
        select: { displayEmpty: true, renderValue: () => (value === null ? own : names.of(value)) },
      }}
    >
      <MenuItem value="">{own}</MenuItem>
      {MESSAGE_LANGUAGES.map((language) => (
        <MenuItem key={language} value={language}>
          {names.of(language)}
        </MenuItem>
      ))}
    </TextField>
  )
}
