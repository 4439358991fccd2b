import type { I18nProvider } from 'ra-core'
import polyglotI18nProvider from 'ra-i18n-polyglot'

import { english } from './i18n/english.ts'

type Texts = { readonly [key: string]: string | Texts }
type Paths<T extends Texts> = {
  [K in keyof T & string]: T[K] extends Texts ? `${K}.${Paths<T[K]>}` : K
}[keyof T & string]
/** The key of a text: `dashboard.safe`. */
export type TextKey = Paths<Omit<typeof english, 'ra'>>

/** The i18n provider of react-admin. A text that is no key, such as a message of the contract, stays as it is. */
export const createI18nProvider = (): I18nProvider =>
  polyglotI18nProvider(() => english, 'en', [{ locale: 'en', name: 'English' }], { allowMissing: true })
