import { Suspense } from 'react'

import { isConverted } from '#contract/kit/files.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

import { MediaPreview } from './MediaPreview.tsx'
import { NotPreviewed, PreviewState } from './PreviewState.tsx'
import { previewKindOf } from './previewValues.ts'
import { TextPreview } from './TextPreview.tsx'
import { useCanPreview } from './useCanPreview.ts'
import type { Load } from './usePreviewed.ts'

const PdfPreview = lazy(async () => ({ default: (await import('./PdfPreview.tsx')).PdfPreview }))
const DocumentPreview = lazy(async () => ({
  default: (await import('./DocumentPreview.tsx')).DocumentPreview,
}))
const SheetPreview = lazy(async () => ({ default: (await import('./SheetPreview.tsx')).SheetPreview }))

export interface FilePreviewProps {
  readonly name: string
  /** Without the dot. */
  readonly extension: string
  /** Bytes. */
  readonly size: number
  /** Returns the content. Memoised by the caller: a new function means a new file. */
  readonly load: Load
  /** URL for range requests of images, audio and video; without it they are loaded as a whole. */
  readonly mediaUrl?: string | undefined
}

function Viewer({ name, extension, size, load, mediaUrl }: FilePreviewProps) {
  const canPreview = useCanPreview()
  const kind = canPreview({ extension, size }) ? previewKindOf(extension) : undefined
  if (kind === undefined) return <NotPreviewed because="cannot" />
  if (kind === 'pdf') return <PdfPreview load={load} />
  if (kind === 'document') return <DocumentPreview name={name} load={load} />
  if (kind === 'sheet') return <SheetPreview extension={extension} load={load} />
  if (kind === 'text') return <TextPreview load={load} />
  return (
    <MediaPreview
      kind={kind}
      name={name}
      load={load}
      mediaUrl={mediaUrl}
      isConverted={isConverted(extension)}
    />
  )
}

/**
 * Previews a file of a supported format (operations §5 "Storage"), or says that it cannot be shown. Fills its
 * container, which must be a flex box with a height.
 */
export const FilePreview = (props: FilePreviewProps) => (
  <Suspense fallback={<PreviewState state={{ status: 'loading' }} />}>
    <Viewer {...props} />
  </Suspense>
)
