import { type ReactNode, useCallback } from 'react'

import type { RoomFile } from '#providers/chat/provider.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { useAttachedPreview } from '#src/attachments/preview/useAttachedPreview.tsx'
import { useCanPreview } from '#src/attachments/preview/useCanPreview.ts'

interface FilePreview {
  /** Returns the function that opens a file; undefined if its format cannot be previewed. */
  readonly openerOf: (file: RoomFile) => (() => void) | undefined
  readonly element: ReactNode
}

/** Previews the files of a room in full size. */
export function useFilePreview(
  files: readonly RoomFile[],
  download: (id: string) => Promise<void>,
): FilePreview {
  const { provider } = useChat()
  const fetchFile = useCallback((id: string, page?: number) => provider.shownFile(id, page), [provider])
  const canPreview = useCanPreview(!provider.lacks?.has('convertFiles'))
  const { open, element } = useAttachedPreview({
    files: files.filter(canPreview),
    fetchFile,
    onDownload: (id) => void download(id),
  })
  return { openerOf: (file) => (canPreview(file) ? () => open(file.id) : undefined), element }
}
