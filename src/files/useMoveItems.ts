import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'

import { filesApi } from '#contract/files/api.ts'
import type { Move } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { findConflicts, isNameTaken } from './conflicts/conflictValues.ts'
import { type MoveConflict, useConflictQuestion } from './conflicts/useConflictQuestion.tsx'
import { reportRefusal } from './gate/refusalValues.ts'
import { nameOf } from './list/itemValues.ts'
import { refreshFiles } from './queries.ts'
import type { Selection } from './selectionValues.ts'
import { canMoveBack, moveBack } from './undoValues.ts'

interface Target {
  readonly id: number
  readonly name: string
}

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
  const notifyUndoable = useUndoable()
  const client = useQueryClient()
  const { ask, question } = useConflictQuestion()
  const send = (items: Selection, parentFolderId: number, choices: Move['choices'] = []) =>
    call(filesApi.move, { body: { ids: items.map(({ id }) => id), parentFolderId, choices } })
  /** Returns the moved items with what was chosen about their names. */
  const sendAsking = async (items: Selection, folderId: number) => {
    try {
      await send(items, folderId)
      return { items, choices: [], conflicts: [] }
    } catch (error) {
      const conflicts = isNameTaken(error) ? await conflictsOf(items, folderId) : []
      if (conflicts.length === 0) throw error
      const chosen = await ask(conflicts)
      const left = items.filter(({ id }) => chosen.get(id) !== 'skip')
      const choices = [...chosen].flatMap(([id, choice]) => (choice === 'skip' ? [] : [{ id, choice }]))
      if (left.length > 0) await send(left, folderId, choices)
      return { items: left, choices, conflicts }
    }
  }
  const report = (moved: Awaited<ReturnType<typeof sendAsking>>, target: Target) => {
    if (moved.items.length === 0) return
    const message = text('files.moved', { smart_count: moved.items.length, folder: target.name })
    if (!canMoveBack(moved.items)) return notify(message, { type: 'success' })
    notifyUndoable(message, () => moveBack(moved).finally(() => void refreshFiles(client)))
  }
  /** @throws HttpProblem on a refusal */
  const move = async (items: Selection, target: Target) => {
    try {
      report(await sendAsking(items, target.id), target)
    } catch (error) {
      reportRefusal(error)
      throw error
    } finally {
      void refreshFiles(client)
    }
  }
  return { move, question }
}
