import type { PathStep, StorageItem } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

/** The name of a file with its extension, or of a folder. */
export const nameOf = (item: Pick<StorageItem, 'name' | 'extension'>): string => wholeName(item)

/** Path of an item from the root: "Files / Plans". */
export const placeOf = (root: string, path: readonly PathStep[]): string =>
  [root, ...path.map(({ name }) => name)].join(' / ')

/** Label of a folder's kind; undefined for a file. */
export const folderLabel = ({ isFolder, folderType }: StorageItem): TextKey | undefined =>
  isFolder ? `files.folderTypes.${folderType}` : undefined
