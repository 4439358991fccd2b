import { useSearchParams } from 'react-router-dom'

import { ROOT } from '#contract/files/schema.ts'

/** Parses a folder id from the address; anything but a positive integer is the root. */
export function folderOf(parameter: string | null): number {
  if (parameter === null || !/^\d{1,15}$/.test(parameter)) return ROOT
  return Number(parameter)
}
export const folderPath = (id: number): string =>
  id === ROOT ? '/secure-file-storage' : `/secure-file-storage?folder=${id}`

/** The open folder (operations §2). */
export function useFilesRoute(): number {
  const [params] = useSearchParams()
  return folderOf(params.get('folder'))
}
