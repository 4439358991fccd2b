import { CONFIG, type ConfigKey, type ConfigItemDeclaration } from '#contract/config/catalogue.ts'
import type { ConfigItem } from '#contract/config-items/schema.ts'
import type { Translate } from '#src/kit/resource/resource.ts'

/** Value of an editor; null for a missing one. */
export type EditedValue = ConfigItem['currentValue'] | null

/** The declaration of an item; undefined for a key unknown to this version of the page. */
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

/** The scope that sets the current value of an item. */
export function originOf({ isEnterpriseCustom, isGlobalOverridden }: ConfigItem) {
  if (isEnterpriseCustom) return 'enterprise'
  return isGlobalOverridden ? 'global' : 'default'
}
