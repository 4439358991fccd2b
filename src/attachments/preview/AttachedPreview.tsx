import { useCallback } from 'react'

import { wholeName } from '#contract/kit/files.ts'

import { FilePreview } from './FilePreview.tsx'
import { PreviewDialog, type PreviewedFile } from './PreviewDialog.tsx'

/** A file that is attached to something. */
export interface AttachedFile extends PreviewedFile {
  readonly id: string
  /** Bytes, where they are known before the file is fetched. */
  readonly size?: number
}

interface Props {
  file: AttachedFile
  files: readonly AttachedFile[]
  /** Answers the bytes of a file as it is shown. */
  fetchFile: (id: string) => Promise<Blob>
  onOpen: (file: AttachedFile) => void
  onDownload: (file: AttachedFile) => void
  onClose: () => void
}

/** A file that is attached to something, from bytes that are fetched as for a download. */
export function AttachedPreview({ fetchFile, ...dialog }: Props) {
  const { id, extension, size = 0 } = dialog.file
  const load = useCallback(() => fetchFile(id), [fetchFile, id])
  return (
    <PreviewDialog {...dialog}>
      <FilePreview key={id} name={wholeName(dialog.file)} extension={extension} size={size} load={load} />
    </PreviewDialog>
  )
}
