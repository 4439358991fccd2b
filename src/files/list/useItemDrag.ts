import { type DragEvent, useState } from 'react'

import type { StorageItem } from '#contract/files/schema.ts'
import { holdsFiles } from '#src/kit/browser/fileDrags.ts'
import { newUuid } from '#providers/uuid.ts'

/** Type of dragged items of this page, in contrast to files of the device and to items of another tab. */
const DRAGGED = `application/x-muster-items-${newUuid()}`

interface Options {
  readonly draggedFrom: (item: StorageItem) => readonly StorageItem[]
  readonly onMove: (items: readonly StorageItem[], folderId: number) => void
  /** Takes files and folders of the device. */
  readonly onUpload: (data: DataTransfer, folderId: number) => void
}

/** Moves files and folders by dragging them onto a folder, and uploads those of the device there. */
export function useItemDrag({ draggedFrom, onMove, onUpload }: Options) {
  const [dragged, setDragged] = useState<readonly StorageItem[]>([])
  const [over, setOver] = useState<number>()
  const stop = () => {
    setDragged([])
    setOver(undefined)
  }
  const takesItems = (folderId: number, { dataTransfer }: DragEvent) =>
    dataTransfer.types.includes(DRAGGED) &&
    dragged.length > 0 &&
    dragged.every(({ id, parentFolderId }) => id !== folderId && parentFolderId !== folderId)
  const takes = (folderId: number, event: DragEvent) =>
    holdsFiles(event.nativeEvent) || takesItems(folderId, event)
  return {
    /** The folder below the pointer that accepts what is dragged. */
    over,
    start: (item: StorageItem, { dataTransfer }: DragEvent) => {
      const items = draggedFrom(item).filter(({ isEditable }) => isEditable)
      dataTransfer.setData(DRAGGED, items.map(({ id }) => id).join(','))
      dataTransfer.effectAllowed = 'move'
      setDragged(items)
    },
    stop,
    enter: (folderId: number, event: DragEvent) => {
      if (!takes(folderId, event)) return
      event.preventDefault()
      setOver(folderId)
    },
    leave: () => setOver(undefined),
    drop: (folderId: number, event: DragEvent) => {
      if (!takes(folderId, event)) return
      event.preventDefault()
      const items = dragged
      stop()
      if (holdsFiles(event.nativeEvent)) onUpload(event.dataTransfer, folderId)
      else onMove(items, folderId)
    },
  }
}
export type ItemDrag = ReturnType<typeof useItemDrag>
