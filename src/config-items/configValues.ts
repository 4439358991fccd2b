import { CONFIG, type ConfigKey, type ConfigItemDeclaration } from '#contract/config/catalogue.ts'
import type { ConfigItem } from '#contract/config-items/schema.ts'
import type { Translate } from '#src/kit/resource/resource.ts'

/** What an editor holds; null stands for a value that is missing. */
export type EditedValue = ConfigItem['currentValue'] | null

/** The declaration of an item; undefined for one that this version of the page does not know. */
export const declarationOf = ({ databaseKey }: Pick<ConfigItem, 'databaseKey'>) =>
  CONFIG[databaseKey as ConfigKey] as ConfigItemDeclaration | undefined

/** The value of an item in words. */
export function valueInWords(
  { isSecret, hasValue, currentValue: value }: ConfigItem,
  text: Translate,
): string {
  if (isSecret && hasValue) return text('configItems.secretValue')
  if (typeof value === 'boolean') return text(value ? 'configItems.yes' : 'configItems.no')
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : text('configItems.emptyList')
  return value === '' ? text('configItems.noValue') : String(value)
}

/** Where the current value of an item comes from. */
export function originOf({ isEnterpriseCustom, isGlobalOverridden }: ConfigItem) {
  if (isEnterpriseCustom) return 'enterprise'
  return isGlobalOverridden ? 'global' : 'default'
}
