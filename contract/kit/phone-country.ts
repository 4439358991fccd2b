/** The country of numbers without a dial code, by configuration of the organisation; null for none. */
export const phoneCountryOf = ({
  defaultPhoneCountry,
  twilioAllowedCountryCodes,
}: {
  readonly defaultPhoneCountry?: string
  readonly twilioAllowedCountryCodes?: readonly string[]
}): string | null => defaultPhoneCountry || (twilioAllowedCountryCodes?.[0] ?? null)
