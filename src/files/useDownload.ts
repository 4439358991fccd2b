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

/** Hands the person files. Says why where that fails (operations §8 "Storage"). */
export function useDownload() {
  const text = useText()
  const notify = useNotify()
  const hand = async (request: () => Promise<{ blob: Blob; fileName: string }>): Promise<void> => {
    try {
      const { blob, fileName } = await request()
      saveFile(blob, fileName)
    } catch (error) {
      if (needsVerification(error)) return reportRefusal(error)
      const reason = statusOf(error) === 404 ? 'files.downloadGone' : 'files.downloadFailed'
      notify(text(reason), { type: 'error' })
    }
  }
  return {
    /** A file, or an earlier content of it. */
    downloadOne: (id: number, fileVersion?: number): Promise<void> =>
      hand(() =>
        fileVersion === undefined
          ? call(filesApi.download, { params: { id } })
          : call(filesApi.downloadVersion, { params: { id, fileVersion } }),
      ),
    /**
     * A file; several, or a folder, as one ZIP file.
     * @param shown the files and folders that are shown: what is no longer among them is not requested
     */
    download: async (items: Selection, shown: Selection): Promise<void> => {
      const [first] = items
      const known = new Set(shown.map(({ id }) => id))
      if (!first || items.some(({ id }) => !known.has(id)))
        return notify(text('files.downloadMissing'), { type: 'error' })
      if (items.length === 1 && !first.isFolder)
        return hand(() => call(filesApi.download, { params: { id: first.id } }))
      notify(text('files.downloading', { name: nameOf(first), smart_count: items.length }))
      return hand(() => call(filesApi.archive, { query: { ids: items.map(({ id }) => id).join(',') } }))
    },
  }
}
