import { useCallback } from 'react'

import { wholeName } from '#contract/kit/files.ts'

import { FilePreview } from './FilePreview.tsx'
import { PreviewDialog, type PreviewedFile } from './PreviewDialog.tsx'

/** Returns the bytes of a file, or one page of an image that the server converts. */
export type FetchFile = (id: string, page?: number) => Promise<Blob>

export interface AttachedFile extends PreviewedFile {
  readonly id: string
  /** Bytes, if known before the fetch. */
  readonly size?: number
}

interface Props {
  file: AttachedFile
  files: readonly AttachedFile[]
  fetchFile: FetchFile
  onOpen: (file: AttachedFile) => void
  onDownload: (file: AttachedFile) => void
  onClose: () => void
}

/** The preview of an attached file, from bytes fetched as for a download. */
export function AttachedPreview({ fetchFile, ...dialog }: Props) {
  const { id, extension, size = 0 } = dialog.file
  const load = useCallback((page?: number) => fetchFile(id, page), [fetchFile, id])
  return (
    <PreviewDialog {...dialog}>
      <FilePreview key={id} name={wholeName(dialog.file)} extension={extension} size={size} load={load} />
    </PreviewDialog>
  )
}
