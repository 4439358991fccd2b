import { useQueryClient } from '@tanstack/react-query'

import { filesApi } from '#contract/files/api.ts'
import { call } from '#providers/api.ts'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { reportRefusal } from './gate/refusalValues.ts'
import { refreshFiles } from './queries.ts'
import type { Selection } from './selectionValues.ts'
import { removeItems } from './undoValues.ts'

/** Copies files and folders to a folder, all of them or none. The function throws an HttpProblem on a refusal. */
export function useCopyItems() {
  const text = useText()
  const notifyUndoable = useUndoable()
  const client = useQueryClient()
  return async (items: Selection, target: { readonly id: number; readonly name: string }): Promise<void> => {
    try {
      const body = { ids: items.map(({ id }) => id), parentFolderId: target.id }
      const copies = await call(filesApi.copy, { body })
      notifyUndoable(text('files.copied', { smart_count: copies.length, folder: target.name }), () =>
        removeItems(copies.map(({ id }) => id)).finally(() => void refreshFiles(client)),
      )
    } catch (error) {
      reportRefusal(error)
      throw error
    } finally {
      void refreshFiles(client)
    }
  }
}
