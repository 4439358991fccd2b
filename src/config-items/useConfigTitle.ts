import { CONFIG, type ConfigKey } from '#contract/config/catalogue.ts'
import { useText } from '#src/kit/useText.ts'

/** The title of a configuration item in words; the key of an item that this version of the page does not know. */
export function useConfigTitle() {
  const text = useText()
  return (key: string): string => (key in CONFIG ? text(`configItems.titles.${key as ConfigKey}`) : key)
}
