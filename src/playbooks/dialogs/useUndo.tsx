import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'

import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import { call } from '#providers/api.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { UndoNotice } from '#src/kit/feedback/UndoNotice.tsx'
import { useText } from '#src/kit/useText.ts'

import type { CreatedPlaybook } from './importValues.ts'

/** Milliseconds in which an import can be undone. */
const UNDO_MS = 30_000
/** Statuses of a playbook that was deleted or changed meanwhile. */
const [GONE, CHANGED] = [404, 409]

/** Deletes playbooks as an import created them. Returns those that are gone, and how many were changed since. */
async function removeUnchanged(created: readonly CreatedPlaybook[]) {
  const gone: string[] = []
  let changed = 0
  for (const { id, version } of created)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after another, as they were created
      await call(playbooksApi.remove, { params: { id }, query: { version } })
      gone.push(id)
    } catch (error) {
      if (statusOf(error) === CHANGED) changed += 1
      else if (statusOf(error) !== GONE) throw error
    }
  return { gone, changed }
}
/** Deletes those of the categories that have no playbook. */
async function removeEmpty(categoryIds: readonly string[]): Promise<void> {
  if (categoryIds.length === 0) return
  const all = await call(playbookCategoriesApi.list, { query: { withPlaybooks: 'false' } })
  const empty = all.filter(({ id, playbooksCount }) => playbooksCount === 0 && categoryIds.includes(id))
  await Promise.all(empty.map(({ id }) => call(playbookCategoriesApi.remove, { params: { id } })))
}

/** Notifies of an import, and offers to undo it. */
export function useUndo(onUndone: (ids: readonly string[]) => void) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const latest = useLatest(onUndone)
  const undo = async (created: readonly CreatedPlaybook[], categoryIds: readonly string[]) => {
    try {
      const { gone, changed } = await removeUnchanged(created)
      await removeEmpty(categoryIds)
      latest.current(gone)
      if (changed > 0)
        notify(text('playbookDialogs.undoneExcept', { smart_count: changed }), { type: 'warning' })
      else notify(text('playbookDialogs.undone'), { type: 'info' })
    } catch (error) {
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
    void client.invalidateQueries({ queryKey: ['playbooks'] })
    void client.invalidateQueries({ queryKey: ['playbook-categories'] })
  }
  return (created: readonly CreatedPlaybook[], categoryIds: readonly string[]) => {
    const message = text('playbookDialogs.created', { smart_count: created.length })
    notify(<UndoNotice message={message} onUndo={() => void undo(created, categoryIds)} />, {
      type: 'success',
      autoHideDuration: UNDO_MS,
    })
  }
}
