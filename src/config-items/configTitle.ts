import { CONFIG, type ConfigKey } from '#contract/config/catalogue.ts'
import { configTitles } from '#providers/i18n/config-titles.ts'

/** The title of a configuration item in words; the key of an item that this version of the page does not know. */
export const configTitle = (key: string): string => (key in CONFIG ? configTitles[key as ConfigKey] : key)
