import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'

import { filesApi } from '#contract/files/api.ts'
import type { Move } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { useText } from '#src/kit/useText.ts'

import { findConflicts, isNameTaken } from './conflicts/conflictValues.ts'
import { type MoveConflict, useConflictQuestion } from './conflicts/useConflictQuestion.tsx'
import { reportRefusal } from './gate/refusalValues.ts'
import { nameOf } from './list/itemValues.ts'
import { refreshFiles } from './queries.ts'
import type { Selection } from './selectionValues.ts'

/** The items whose names are taken in a folder. */
async function conflictsOf(items: Selection, folderId: number): Promise<MoveConflict[]> {
  const planned = items.map((item) => ({ item, file: { name: nameOf(item) }, path: [] }))
  const conflicts = await findConflicts(folderId, planned)
  return [...conflicts].map(([{ item }, conflict]) => ({
    id: item.id,
    size: item.isFolder ? undefined : item.size,
    // A file replaces a file only.
    conflict: item.isFolder ? { ...conflict, canReplace: false } : conflict,
  }))
}

/** Moves files and folders, all of them or none, and asks about names that are taken. */
export function useMoveItems() {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const { ask, question } = useConflictQuestion()
  const send = (items: Selection, parentFolderId: number, choices: Move['choices'] = []) =>
    call(filesApi.move, { body: { ids: items.map(({ id }) => id), parentFolderId, choices } })
  /** Returns the number of moved items. */
  const sendAsking = async (items: Selection, folderId: number): Promise<number> => {
    try {
      return (await send(items, folderId)).length
    } catch (error) {
      const conflicts = isNameTaken(error) ? await conflictsOf(items, folderId) : []
      if (conflicts.length === 0) throw error
      const chosen = await ask(conflicts)
      const left = items.filter(({ id }) => chosen.get(id) !== 'skip')
      const choices = [...chosen].flatMap(([id, choice]) => (choice === 'skip' ? [] : [{ id, choice }]))
      return left.length === 0 ? 0 : (await send(left, folderId, choices)).length
    }
  }
  /** @throws HttpProblem on a refusal */
  const move = async (items: Selection, target: { readonly id: number; readonly name: string }) => {
    try {
      const count = await sendAsking(items, target.id)
      if (count > 0)
        notify(text('files.moved', { smart_count: count, folder: target.name }), { type: 'success' })
    } catch (error) {
      reportRefusal(error)
      throw error
    } finally {
      void refreshFiles(client)
    }
  }
  return { move, question }
}
