import { useNotify } from 'react-admin'
import { type Dispatch, useCallback, useId, useState } from 'react'

import type { PlaybookItemType } from '#contract/playbooks/schema.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { UNDO_MS, UndoNotice } from '#src/kit/feedback/UndoNotice.tsx'
import { useText } from '#src/kit/useText.ts'

import { type EditedItem, type EditorAction, type EditorState, itemProblemsOf } from './editorValues.ts'

const focusSoon = (elementId: string) =>
  requestAnimationFrame(() => document.getElementById(elementId)?.focus())

/** Actions on headings and tasks. Each stays identical, so that rows render only when their item changes. */
export function useItemList(state: EditorState, dispatch: Dispatch<EditorAction>) {
  const text = useText()
  const notify = useNotify()
  const listId = useId()
  const latest = useLatest(state)
  const [announcement, setAnnouncement] = useState('')
  const idOf = useCallback((key: string) => `${listId}-${key}`, [listId])
  const titleOf = ({ title }: EditedItem) => title.trim() || text('playbooks.untitled')

  /** Closes the open item; returns true if none is open then. An incomplete one shows its errors. */
  const close = (): boolean => {
    const { openKey, items, errors } = latest.current
    if (openKey === null) return true
    const problems = itemProblemsOf(items[openKey]!, text('playbooks.timeInvalid'))
    if (!problems) {
      dispatch({ type: 'done' })
      return true
    }
    dispatch({ type: 'refuse', errors: { ...errors, items: { ...errors.items, [openKey]: problems } } })
    return false
  }
  const insert = (kind: PlaybookItemType, at: number) => {
    if (latest.current.openKey === null) dispatch({ type: 'insert', kind, at })
    else notify(text('playbooks.cannotAdd'), { type: 'warning' })
  }
  const open = useLatest((key: string) => {
    if (close()) dispatch({ type: 'open', key })
  })
  const move = (from: number, to: number) => {
    const { order, items } = latest.current
    const key = order[from]
    if (key === undefined || to < 0 || to >= order.length) return
    dispatch({ type: 'move', from, to })
    const words = { title: titleOf(items[key]!), place: to + 1, count: order.length }
    setAnnouncement(text('playbooks.moved', words))
    focusSoon(idOf(key))
  }
  const remove = (key: string) => {
    const { order, items } = latest.current
    const item = items[key]
    if (!item) return
    const at = order.indexOf(key)
    dispatch({ type: 'remove', key })
    const next = order[at + 1] ?? order[at - 1]
    focusSoon(next === undefined ? idOf('add') : idOf(next))
    const undo = () => {
      dispatch({ type: 'restore', item, at })
      focusSoon(idOf(key))
    }
    const message = text('playbooks.removed', { title: titleOf(item) })
    notify(<UndoNotice message={message} onUndo={undo} />, { type: 'info', autoHideDuration: UNDO_MS })
  }
  return {
    idOf,
    titleOf,
    announcement,
    insert,
    move,
    /** Moves a dragged item; dnd-kit has announced the drag. */
    drop: (from: number, to: number) => dispatch({ type: 'move', from, to }),
    remove,
    duplicate: (key: string) => dispatch({ type: 'duplicate', key }),
    open: useCallback((key: string) => open.current(key), [open]),
    done: () => {
      const { openKey } = latest.current
      if (close() && openKey !== null) focusSoon(idOf(openKey))
    },
    cancel: () => {
      const { openKey, before } = latest.current
      dispatch({ type: 'cancel' })
      focusSoon(before && openKey !== null ? idOf(openKey) : idOf('add'))
    },
  }
}
export type ItemListModel = ReturnType<typeof useItemList>
