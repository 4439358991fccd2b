import type { I18nProvider, TranslationMessages } from 'react-admin'
import polyglotI18nProvider from 'ra-i18n-polyglot'

import { withoutDirectionMarks } from '#contract/kit/direction.ts'

import { core } from './i18n/core.ts'
import type { consoleEnglish } from './i18n/consoleEnglish.ts'
import type { english } from './i18n/english.ts'

type Messages = { readonly [key: string]: string | Messages }
type Paths<T extends Messages> = {
  [K in keyof T & string]: T[K] extends Messages ? `${K}.${Paths<T[K]>}` : K
}[keyof T & string]
/** The key of a text: `dashboard.safe`. */
export type TextKey = Paths<Omit<typeof english & typeof consoleEnglish, 'ra'>>

const LOCALES = [{ locale: 'en', name: 'English' }]
let messages: Messages = core

const polyglot = polyglotI18nProvider(
  // react-admin's type demands its own messages from the start; `loadMessages` adds them.
  () => messages as unknown as TranslationMessages,
  'en',
  LOCALES,
  { allowMissing: true },
)
/** Removes direction marks from inserted words, which would reorder the sentence around them. */
const inSentence = (words: object): object =>
  Object.fromEntries(
    Object.entries(words).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? withoutDirectionMarks(value) : value,
    ]),
  )
/**
 * react-admin's i18n provider. `smart_count` selects the plural form (`||||`) by the rules of the locale. A
 * text that is no key, such as a message of the contract, is returned unchanged.
 */
export const i18nProvider: I18nProvider = {
  ...polyglot,
  translate: (key: string, words?: object) => polyglot.translate(key, words && inSentence(words)),
}

const parts: (() => Promise<Messages>)[] = [
  async () => (await import('./i18n/english.ts')).english as unknown as Messages,
]
/** Adds the messages of the provider console to those that `loadMessages` loads. Call before it. */
export const addConsoleMessages = (): void =>
  void parts.push(async () => (await import('./i18n/consoleEnglish.ts')).consoleEnglish)

async function load(): Promise<void> {
  const loaded = await Promise.all(parts.map((part) => part()))
  messages = Object.assign({}, ...loaded) as Messages
  // The provider reads its messages again only when a locale is set.
  await i18nProvider.changeLocale(i18nProvider.getLocale())
}

let loading: Promise<void> | undefined
/** Loads the messages of all pages. Those of the shell and the dashboard are part of the application's first file. */
export const loadMessages = (): Promise<void> =>
  (loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  }))
