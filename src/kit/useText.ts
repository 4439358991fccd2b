import { useTranslate } from 'react-admin'

import type { TextKey } from '#providers/i18nProvider.ts'

type Words = Readonly<Record<string, string | number>>

/** Translates a key of the interface's messages; `smart_count` chooses between singular and plural. */
export const useText = (): ((key: TextKey, words?: Words) => string) => useTranslate()
