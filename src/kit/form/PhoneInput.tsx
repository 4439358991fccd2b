import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import TextField from '@mui/material/TextField'
import type { CountryCode } from 'libphonenumber-js/min'
import { useInput, useLocaleState } from 'react-admin'
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
  /** Help below a number of another country. `%{countries}` lists the allowed ones. */
  helpOutside?: TextKey
  /** Error message for an invalid number. */
  invalid?: string
  /** ISO codes of the offered countries; the first is the default. */
  countries: readonly string[]
}

/** The phone number library, once loaded; until then a number is kept as typed. */
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

interface Phone {
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
function usePhone(field: ReturnType<typeof useInput>['field'], { source, countries, invalid }: Props): Phone {
  const phones = usePhones()
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<string>()
  /** The country at the first keystroke, fixed while somebody types. */
  const [still, setStill] = useState<string>()
  const value = String(field.value)
  const parse = (number: string, of: string) => phones?.parsePhoneNumberFromString(number, of as CountryCode)
  const known = parse(value, chosen ?? countries[0]!)
  const isWhole = known?.isValid() === true
  const country = still ?? chosen ?? known?.country ?? countries[0]!
  // A bare country code counts as empty, as on the server.
  const isTyped = value.replace(/[\s().-]/g, '').length > 2
  useFieldRule(source, () => (phones && isTyped && !isWhole ? (invalid ?? INVALID_PHONE) : undefined))

  const keep = (number: string, of: string) => {
    const parsed = parse(number, of)
    field.onChange(parsed?.isValid() ? parsed.number : number.trim())
    return parsed
  }
  return {
    country,
    text: typed ?? (isWhole ? known.formatInternational() : value),
    isOutside: isWhole && known.country !== undefined && !countries.includes(known.country),
    dialCode: (of) => (phones ? ` +${phones.getCountryCallingCode(of as CountryCode)}` : ''),
    change: (number) => {
      setTyped(number)
      setStill(country)
      keep(number, country)
    },
    choose: (next) => {
      setChosen(next)
      setStill(undefined)
      const national = known?.nationalNumber ?? typed ?? ''
      setTyped(national)
      keep(national, next)
    },
    leave: () => {
      field.onBlur()
      setTyped(undefined)
      setStill(undefined)
      if (isWhole && known.country) setChosen(known.country)
    },
  }
}

/** A phone number in a form: typed in national format, stored as a plus sign and digits. */
export function PhoneInput(props: Props) {
  const { source, label, help, helpOutside, countries } = props
  const text = useText()
  const [locale] = useLocaleState()
  const { id, field, fieldState } = useInput({ source })
  const { country, dialCode, isOutside, ...phone } = usePhone(field, props)
  const nameOf = (code: string) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
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
