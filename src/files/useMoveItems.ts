import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'

import { filesApi } from '#contract/files/api.ts'
import { call } from '#providers/api.ts'
import { useText } from '#src/kit/useText.ts'

import { reportRefusal } from './gate/refusalValues.ts'
import { refreshFiles } from './queries.ts'
import type { Selection } from './selectionValues.ts'

/**
 * Moves files and folders, all of them or none.
 * @throws HttpProblem on a refusal
 */
export function useMoveItems() {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  return async (items: Selection, target: { readonly id: number; readonly name: string }): Promise<void> => {
    try {
      await call(filesApi.move, {
        body: { ids: items.map(({ id }) => id), parentFolderId: target.id },
      })
    } catch (error) {
      reportRefusal(error)
      throw error
    } finally {
      void refreshFiles(client)
    }
    notify(text('files.moved', { smart_count: items.length, folder: target.name }), { type: 'success' })
  }
}
