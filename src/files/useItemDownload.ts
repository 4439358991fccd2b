import { useNotify } from 'ra-core'

import { filesApi } from '#contract/files/api.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'
import { needsVerification } from '#src/shared/verification.ts'

import { reportRefusal } from './gate/refusalValues.ts'
import { nameOf } from './list/itemValues.ts'
import type { Selection } from './selectionValues.ts'

/**
 * Hands the person a file; several, or a folder, as one ZIP file. Says why where that fails.
 * @param current the files and folders that are shown: what is no longer among them is not requested
 */
export function useItemDownload(current: () => Selection) {
  const text = useText()
  const notify = useNotify()
  const explain = (error: unknown) => {
    if (needsVerification(error)) return reportRefusal(error)
    const reason = statusOf(error) === 404 ? 'files.downloadGone' : 'files.downloadFailed'
    notify(text(reason), { type: 'error' })
  }
  return async (items: Selection): Promise<void> => {
    const [first] = items
    const shown = new Set(current().map(({ id }) => id))
    if (!first || items.some(({ id }) => !shown.has(id)))
      return notify(text('files.downloadMissing'), { type: 'error' })
    const isOneFile = items.length === 1 && !first.isFolder
    if (!isOneFile) notify(text('files.downloading', { name: nameOf(first), smart_count: items.length }))
    try {
      const { blob, fileName } = await (isOneFile
        ? call(filesApi.download, { params: { id: first.id } })
        : call(filesApi.archive, { query: { ids: items.map(({ id }) => id).join(',') } }))
      saveFile(blob, fileName)
    } catch (error) {
      explain(error)
    }
  }
}
