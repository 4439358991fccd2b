import type { I18nProvider } from 'ra-core'

import { core } from './i18n/core.ts'
import type { english } from './i18n/english.ts'

type Texts = { readonly [key: string]: string | Texts }
type Paths<T extends Texts> = {
  [K in keyof T & string]: T[K] extends Texts ? `${K}.${Paths<T[K]>}` : K
}[keyof T & string]
/** The key of a text: `dashboard.safe`. */
export type TextKey = Paths<Omit<typeof english, 'ra'>>

let texts: Texts = core
/** Loads the texts of all pages; those of the shell and the dashboard are there from the start. */
export async function loadTexts(): Promise<void> {
  texts = (await import('./i18n/english.ts')).english as unknown as Texts
}

export type Words = Readonly<Record<string, string | number>>

const lookUp = (key: string): string | undefined => {
  let found: string | Texts | undefined = texts
  for (const step of key.split('.')) found = typeof found === 'object' ? found[step] : undefined
  return typeof found === 'string' ? found : undefined
}

/**
 * Fills a text in: `%{name}` is replaced, and of the forms that `||||` separates the one for `smart_count` is taken,
 * singular first. (react-admin's own texts are written so; its usual library for them weighs six kilobytes more.)
 */
export function fillIn(text: string, words: Words, plurals: Intl.PluralRules): string {
  const forms = text.split('||||')
  const count = words['smart_count']
  const isOne = typeof count !== 'number' || plurals.select(count) === 'one'
  const form = (isOne ? forms[0] : forms.at(-1))!.trim()
  return form.replace(/%\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole))
}

/** The i18n provider of react-admin. A text that is no key, such as a message of the contract, stays as it is. */
export function createI18nProvider(): I18nProvider {
  const locale = 'en'
  const plurals = new Intl.PluralRules(locale)
  return {
    translate: (key, options: Words & { _?: string } = {}) =>
      fillIn(lookUp(key) ?? options._ ?? key, options, plurals),
    changeLocale: () => Promise.resolve(),
    getLocale: () => locale,
    getLocales: () => [{ locale, name: 'English' }],
  }
}
