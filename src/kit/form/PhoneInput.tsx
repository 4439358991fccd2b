import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import TextField from '@mui/material/TextField'
import type { CountryCode } from 'libphonenumber-js/min'
import { useInput, useLocaleState } from 'ra-core'
import { useEffect, useState } from 'react'

import { INVALID_PHONE } from '#contract/kit/text.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import { useFieldRule } from './formRules.ts'
import { useText } from '../useText.ts'

type Phones = typeof import('libphonenumber-js/min')

interface Props {
  source: string
  label: TextKey
  help?: TextKey
  /** Said below a number of a country that is not among them. `%{countries}` names them. */
  helpOutside?: TextKey
  /** Said of what nobody can have as a number. */
  invalid?: string
  /** ISO codes of the countries to choose from; the first is chosen. */
  countries: readonly string[]
}

/** Knowing the world's phone numbers takes a while to load; until then a number is kept as it is typed. */
function usePhones(): Phones | undefined {
  const [phones, setPhones] = useState<Phones>()
  useEffect(() => {
    let here = true
    void import('libphonenumber-js/min').then((loaded) => here && setPhones(loaded))
    return () => {
      here = false
    }
  }, [])
  return phones
}

/** A phone number in a form: typed as people write it in their country, kept as a plus sign and digits. */
export function PhoneInput(props: Props) {
  const { source, label, help, helpOutside, invalid = INVALID_PHONE, countries } = props
  const text = useText()
  const [locale] = useLocaleState()
  const phones = usePhones()
  const { id, field, fieldState } = useInput({ source })
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<string>()
  const value = String(field.value)

  const parse = (number: string, country: string) =>
    phones?.parsePhoneNumberFromString(number, country as CountryCode)
  const known = parse(value, chosen ?? countries[0]!)
  const country = chosen ?? known?.country ?? countries[0]!
  // A bare country code is no number; the server takes it for none too.
  useFieldRule(source, () =>
    phones && value.replace(/[\s().-]/g, '').length > 2 && !known?.isValid() ? invalid : undefined,
  )

  const keep = (number: string, of: string) => {
    const parsed = parse(number, of)
    field.onChange(parsed?.isValid() ? parsed.number : number.trim())
    return parsed
  }
  const change = (number: string) => {
    setTyped(number)
    const parsed = keep(number, country)
    if (parsed?.isValid() && parsed.country) setChosen(parsed.country)
  }
  const choose = (next: string) => {
    setChosen(next)
    const national = known?.nationalNumber ?? typed ?? ''
    setTyped(national)
    keep(national, next)
  }
  const leave = () => {
    field.onBlur()
    setTyped(undefined)
  }

  const nameOf = (code: string) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
  const dialCode = (code: string) => (phones ? ` +${phones.getCountryCallingCode(code as CountryCode)}` : '')
  const shown = countries.includes(country) ? countries : [...countries, country]
  const outside = known?.isValid() && known.country && !countries.includes(known.country)
  const problem = fieldState.error?.message
  const said =
    outside && helpOutside
      ? text(helpOutside, { countries: countries.map(nameOf).join(', ') })
      : help && text(help)
  return (
    <TextField
      id={id}
      name={field.name}
      type="tel"
      placeholder={dialCode(country).trim()}
      label={text(label)}
      value={typed ?? (known?.isValid() ? known.formatInternational() : value)}
      onChange={(event) => change(event.target.value)}
      onBlur={leave}
      inputRef={field.ref}
      error={problem !== undefined}
      helperText={problem ?? said}
      slotProps={{
        htmlInput: { autoComplete: 'off', inputMode: 'tel', dir: 'ltr' },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Select
                variant="standard"
                disableUnderline
                value={country}
                onChange={(event) => choose(event.target.value)}
                renderValue={(code) => code}
                inputProps={{ 'aria-label': text('grid.country') }}
              >
                {shown.map((code) => (
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
