import { useLocaleState } from 'react-admin'

import { countryName } from '../browser/countryName.ts'
import { useText } from '../useText.ts'

/** The rule of an import about numbers without a dial code, which belong to `country` unless it is null. */
export function usePhoneRule(country: string | null): string {
  const text = useText()
  const [locale] = useLocaleState()
  return country === null
    ? text('tableImport.dialCodeNeeded')
    : text('tableImport.dialCodeAssumed', { country: countryName(locale, country) })
}
