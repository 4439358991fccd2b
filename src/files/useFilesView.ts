import { useState } from 'react'

import type { ItemSort, ItemView } from './selectionValues.ts'

const BY_NAME: ItemSort = ['name', 'ASC']

/** View state of the open folder. Another folder starts on its first page, without search and selection. */
export function useFilesView(folderId: number) {
  const initial: ItemView = { folderId, search: '', isCreatedByMe: false, page: 1, sort: BY_NAME }
  const [view, setView] = useState(initial)
  const [selectedIds, setSelectedIds] = useState<readonly number[]>([])
  if (view.folderId !== folderId) {
    setView({ ...initial, isCreatedByMe: view.isCreatedByMe, sort: view.sort })
    setSelectedIds([])
  }
  return {
    view: view.folderId === folderId ? view : initial,
    change: (patch: Partial<ItemView>) => {
      setSelectedIds([])
      setView({ ...view, page: 1, ...patch })
    },
    selectedIds,
    select: setSelectedIds,
  }
}
