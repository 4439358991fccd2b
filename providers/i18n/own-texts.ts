import type { TextKey } from '#providers/i18nProvider.ts'

/** Texts of a catalogue that loads with its page, for what takes keys: a text that is no key is translated as itself. */
export const ownTexts = <T extends Readonly<Record<string, string>>>(
  texts: T,
): { readonly [K in keyof T]: TextKey } => texts as unknown as { readonly [K in keyof T]: TextKey }
