import { type ReactNode, Suspense, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'

import type { AttachedFile, FetchFile } from './AttachedPreview.tsx'

const AttachedPreview = lazy(async () => ({
  default: (await import('./AttachedPreview.tsx')).AttachedPreview,
}))

interface Options {
  /** The files of the same list, in its order. */
  readonly files: readonly AttachedFile[]
  /** Memoised by the caller: a new function means new bytes. */
  readonly fetchFile: FetchFile
  readonly onDownload: (id: string) => void
}

/** Previews attached files in full size. The viewers load with the first one. */
export function useAttachedPreview({ files, fetchFile, onDownload }: Options): {
  open: (id: string) => void
  element: ReactNode
} {
  const [openedId, open] = useState<string>()
  const file = files.find(({ id }) => id === openedId)
  return {
    open,
    element: file && (
      <Suspense>
        <AttachedPreview
          file={file}
          files={files}
          fetchFile={fetchFile}
          onOpen={({ id }) => open(id)}
          onDownload={({ id }) => onDownload(id)}
          onClose={() => open(undefined)}
        />
      </Suspense>
    ),
  }
}
