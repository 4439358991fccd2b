import { useNotify } from 'ra-core'
import { useCallback } from 'react'

import { filesApi } from '#contract/files/api.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'

/** Hands the person a file, or an earlier content of it; says why where that fails (operations §8 "Storage"). */
export function useFileDownload(): (id: number, fileVersion?: number) => Promise<void> {
  const text = useText()
  const notify = useNotify()
  return useCallback(
    async (id, fileVersion) => {
      try {
        const { blob, fileName } = await (fileVersion === undefined
          ? call(filesApi.download, { params: { id } })
          : call(filesApi.downloadVersion, { params: { id, fileVersion } }))
        saveFile(blob, fileName)
      } catch (error) {
        const isGone = statusOf(error) === 404
        notify(text(isGone ? 'fileDetails.downloadGone' : 'fileDetails.downloadFailed'), { type: 'error' })
      }
    },
    [notify, text],
  )
}
