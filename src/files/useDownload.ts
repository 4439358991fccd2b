import { useNotify } from 'react-admin'

import { filesApi } from '#contract/files/api.ts'
import type { DownloadTicket } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { apiUrl } from '#providers/session.ts'
import { saveFrom } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'
import { needsVerification } from '#src/verifications/needsVerification.ts'

import { reportRefusal } from './gate/refusalValues.ts'
import { nameOf } from './list/itemValues.ts'
import type { Selection } from './selectionValues.ts'

/** Downloads files by single-use addresses. Notifies of refusals (operations §8 "Storage"). */
export function useDownload() {
  const text = useText()
  const notify = useNotify()
  const save = async (requestTicket: () => Promise<DownloadTicket>): Promise<void> => {
    try {
      const { path } = await requestTicket()
      saveFrom(apiUrl() + path)
    } catch (error) {
      if (needsVerification(error)) return reportRefusal(error)
      const reason = statusOf(error) === 404 ? 'files.downloadGone' : 'files.downloadFailed'
      notify(text(reason), { type: 'error' })
    }
  }
  return {
    downloadOne: (id: number, fileVersion?: number): Promise<void> =>
      save(() => call(filesApi.downloadTicket, { params: { id }, body: { fileVersion } })),
    /**
     * Downloads one file as such, several or a folder as a ZIP file.
     * @param shown the visible rows: items no longer among them are not requested
     */
    download: async (items: Selection, shown: Selection): Promise<void> => {
      const [first] = items
      const known = new Set(shown.map(({ id }) => id))
      if (!first || items.some(({ id }) => !known.has(id)))
        return notify(text('files.downloadMissing'), { type: 'error' })
      if (items.length === 1 && !first.isFolder)
        return save(() => call(filesApi.downloadTicket, { params: { id: first.id }, body: {} }))
      notify(text('files.downloading', { name: nameOf(first), smart_count: items.length }))
      return save(() => call(filesApi.archiveTicket, { body: { ids: items.map(({ id }) => id) } }))
    },
  }
}
