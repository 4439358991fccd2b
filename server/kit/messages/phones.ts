import * as library from 'libphonenumber-js/max'

import type { Config } from '#contract/config/catalogue.ts'
import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import type { PhoneReader } from '#contract/kit/phone.ts'

/** Reads numbers as people of an organisation write them. */
export const phoneReader = (
  config: Pick<Config, 'defaultPhoneCountry' | 'twilioAllowedCountryCodes'>,
): PhoneReader => ({ library, country: phoneCountryOf(config) })

/** A number in international form with its country. */
export interface Phone {
  readonly number: string
  readonly country: string
}

/** Cache size of parsed numbers, which each list of groups reads again. */
const KNOWN_MAX = 50_000
const known = new Map<string, Phone | null>()

/** Reads a number with its dial code; null for an impossible one. */
export function readPhone(written: string): Phone | null {
  const before = known.get(written)
  if (before !== undefined) return before
  const parsed = written.startsWith('+') ? library.parsePhoneNumberFromString(written) : undefined
  const phone = parsed?.isValid() ? { number: parsed.number, country: parsed.country ?? '' } : null
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(written, phone)
  return phone
}

/** True when messages may be sent to a number: a possible one, in an allowed country. */
export function isReachable(written: string | null, countries: readonly string[]): written is string {
  const phone = written === null ? null : readPhone(written)
  return phone !== null && countries.includes(phone.country)
}
