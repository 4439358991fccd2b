import { type ReactNode, Suspense, useState } from 'react'

import type { StorageItem } from '#contract/files/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

import type { Selection } from './selectionValues.ts'

const DeleteDialog = lazy(async () => ({
  default: (await import('./dialogs/DeleteDialog.tsx')).DeleteDialog,
}))
const FolderDialog = lazy(async () => ({
  default: (await import('./dialogs/FolderDialog.tsx')).FolderDialog,
}))
const LinkDialog = lazy(async () => ({
  default: (await import('#src/file-links/LinkDialog.tsx')).LinkDialog,
}))
const MoveDialog = lazy(async () => ({ default: (await import('./dialogs/MoveDialog.tsx')).MoveDialog }))
const RenameDialog = lazy(async () => ({
  default: (await import('./dialogs/RenameDialog.tsx')).RenameDialog,
}))

/** An open dialog of the page with its subject. */
export type FilesDialog =
  | { readonly kind: 'newFolder'; readonly parentFolderId: number }
  | { readonly kind: 'access'; readonly folder: StorageItem }
  | { readonly kind: 'rename'; readonly item: StorageItem }
  | { readonly kind: 'link'; readonly item: StorageItem }
  | { readonly kind: 'move' | 'copy' | 'delete'; readonly items: Selection }

/** The dialogs of the page, loaded on demand. */
export function useFilesDialogs() {
  const [dialog, setDialog] = useState<FilesDialog>()
  const onClose = () => setDialog(undefined)
  const elementOf = (open: FilesDialog): ReactNode => {
    if (open.kind === 'newFolder')
      return <FolderDialog folder={null} parentFolderId={open.parentFolderId} onClose={onClose} />
    if (open.kind === 'access')
      return <FolderDialog folder={open.folder} parentFolderId={0} onClose={onClose} />
    if (open.kind === 'link') return <LinkDialog item={open.item} onClose={onClose} />
    if (open.kind === 'rename') return <RenameDialog item={open.item} onClose={onClose} />
    if (open.kind === 'move' || open.kind === 'copy')
      return <MoveDialog items={open.items} isCopy={open.kind === 'copy'} onClose={onClose} />
    return <DeleteDialog items={open.items} onClose={onClose} />
  }
  return { open: setDialog, element: dialog && <Suspense>{elementOf(dialog)}</Suspense> }
}
