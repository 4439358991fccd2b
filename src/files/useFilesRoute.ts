import { useSearchParams } from 'react-router-dom'

import { ROOT } from '#contract/files/schema.ts'

/** The id of the folder in an address; anything but a positive whole number is the root. */
export function folderOf(parameter: string | null): number {
  if (parameter === null || !/^\d{1,15}$/.test(parameter)) return ROOT
  return Number(parameter)
}
/** The address of a folder. */
export const folderPath = (id: number): string =>
  id === ROOT ? '/secure-file-storage' : `/secure-file-storage?folder=${id}`

/** The open folder (operations §2). */
export function useFilesRoute(): number {
  const [params] = useSearchParams()
  return folderOf(params.get('folder'))
}
