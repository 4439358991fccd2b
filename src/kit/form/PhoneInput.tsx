import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import TextField from '@mui/material/TextField'
import type { CountryCode } from 'libphonenumber-js/max'
import { useInput, useLocaleState } from 'react-admin'
import { useEffect, useState } from 'react'

import type { Phone } from '#contract/kit/phone.ts'
import { INVALID_PHONE } from '#contract/kit/text.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import { useFieldRule } from './formRules.ts'
import { countryName } from '../browser/countryName.ts'
import { loadOnline } from '../browser/lazy.ts'
import { loadPhoneLibrary } from '../phones.ts'
import { useText } from '../useText.ts'

/** The phone number library, and the reader that uses it. */
async function loadTools() {
  const [library, { readPhones }] = await Promise.all([
    loadPhoneLibrary(),
    loadOnline(() => import('#contract/kit/phone.ts')),
  ])
  return { library, readPhones }
}
type Tools = Awaited<ReturnType<typeof loadTools>>

export interface PhoneInputProps {
  source: string
  label: TextKey
  help?: TextKey
  /** Help below a number of another country. `%{countries}` lists the allowed ones. */
  helpOutside?: TextKey
  /** Error message for an invalid number. */
  invalid?: string
  /** ISO codes of the offered countries. */
  countries: readonly string[]
  /** Country of a number without a dial code; by default the first of the offered ones. */
  defaultCountry?: string | null | undefined
  /** Receives what a pasted text holds beside the number: its extension, and a second number. */
  onRead?: ((phones: readonly Phone[]) => void) | undefined
}

/** The tools, once loaded; until then a number is kept as typed. */
function useTools(): Tools | undefined {
  const [tools, setTools] = useState<Tools>()
  useEffect(() => {
    let here = true
    void loadTools().then((loaded) => here && setTools(loaded))
    return () => {
      here = false
    }
  }, [])
  return tools
}

interface PhoneState {
  readonly country: string
  /** The number as typed, or in international format once complete. */
  readonly text: string
  /** True for a number of a country that is not offered. */
  readonly isOutside: boolean
  readonly dialCode: (country: string) => string
  readonly change: (number: string) => void
  readonly choose: (country: string) => void
  readonly leave: () => void
}

/** The number of a field and its country, which follows the number until one is chosen. */
function usePhone(
  field: ReturnType<typeof useInput>['field'],
  { source, countries, defaultCountry, invalid, onRead }: PhoneInputProps,
): PhoneState {
  const tools = useTools()
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<string>()
  /** The country at the first keystroke, fixed while somebody types. */
  const [still, setStill] = useState<string>()
  const value = String(field.value)
  const preset = defaultCountry ?? countries[0]!
  const read = (text: string, of: string) => tools?.readPhones(text, { library: tools.library, country: of })
  const reading = read(value, chosen ?? preset)
  const known = reading?.phones[0]
  const country = still ?? chosen ?? (known?.country || preset)
  useFieldRule(source, () =>
    reading && reading.problems.length > 0 ? (invalid ?? INVALID_PHONE) : undefined,
  )

  const keep = (text: string, of: string) => {
    const { phones = [], problems = [] } = read(text, of) ?? {}
    const [phone] = phones
    field.onChange(phone && problems.length === 0 ? phone.number : text.trim())
    return problems.length === 0 ? phones : []
  }
  const parsed = known && tools?.library.parsePhoneNumberFromString(known.number)
  return {
    country,
    text: typed ?? parsed?.formatInternational() ?? value,
    isOutside: known !== undefined && known.country !== '' && !countries.includes(known.country),
    dialCode: (of) => (tools ? ` +${tools.library.getCountryCallingCode(of as CountryCode)}` : ''),
    change: (number) => {
      setTyped(number)
      setStill(country)
      keep(number, country)
    },
    choose: (next) => {
      setChosen(next)
      setStill(undefined)
      const national = parsed?.nationalNumber ?? typed ?? ''
      setTyped(national)
      keep(national, next)
    },
    leave: () => {
      field.onBlur()
      // The extension and a second number move to their own fields, once the text is complete.
      if (typed !== undefined) onRead?.(keep(typed, country))
      setTyped(undefined)
      setStill(undefined)
      if (known?.country) setChosen(known.country)
    },
  }
}

/** A phone number in a form: typed as people write it, stored as a plus sign and digits. */
export function PhoneInput(props: PhoneInputProps) {
  const { source, label, help, helpOutside, countries } = props
  const text = useText()
  const [locale] = useLocaleState()
  const { id, field, fieldState } = useInput({ source })
  const { country, dialCode, isOutside, ...phone } = usePhone(field, props)
  const nameOf = (code: string) => countryName(locale, code)
  const offered = countries.includes(country) ? countries : [...countries, country]
  const problem = fieldState.error?.message
  const hint =
    isOutside && helpOutside
      ? text(helpOutside, { countries: countries.map(nameOf).join(', ') })
      : help && text(help)
  return (
    <TextField
      id={id}
      name={field.name}
      type="tel"
      placeholder={dialCode(country).trim()}
      label={text(label)}
      value={phone.text}
      onChange={(event) => phone.change(event.target.value)}
      onBlur={phone.leave}
      inputRef={field.ref}
      error={problem !== undefined}
      helperText={problem ?? hint}
      slotProps={{
        htmlInput: { autoComplete: 'off', inputMode: 'tel', dir: 'ltr' },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Select
                variant="standard"
                disableUnderline
                value={country}
                onChange={(event) => phone.choose(event.target.value)}
                renderValue={(code) => code}
                inputProps={{ 'aria-label': text('grid.country') }}
              >
                {offered.map((code) => (
                  <MenuItem key={code} value={code}>
                    {nameOf(code)}
                    {dialCode(code)}
                  </MenuItem>
                ))}
              </Select>
            </InputAdornment>
          ),
        },
      }}
    />
  )
}
