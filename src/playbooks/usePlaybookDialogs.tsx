import { type ReactNode, Suspense, useState } from 'react'

import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import type { PlaybookTemplate, StarterPlaybook } from '#contract/playbooks/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

import type { CreatedPlaybook } from './dialogs/importValues.ts'

const BinDialog = lazy(async () => ({ default: (await import('./dialogs/BinDialog.tsx')).BinDialog }))
const CategoryDialog = lazy(async () => ({
  default: (await import('./dialogs/CategoryDialog.tsx')).CategoryDialog,
}))
const ChangeCategoryDialog = lazy(async () => ({
  default: (await import('./dialogs/ChangeCategoryDialog.tsx')).ChangeCategoryDialog,
}))
const ExportDialog = lazy(async () => ({
  default: (await import('./dialogs/ExportDialog.tsx')).ExportDialog,
}))
const ImportDialog = lazy(async () => ({
  default: (await import('./dialogs/ImportDialog.tsx')).ImportDialog,
}))
const ShareDialog = lazy(async () => ({ default: (await import('./dialogs/ShareDialog.tsx')).ShareDialog }))
const StartersDialog = lazy(async () => ({
  default: (await import('./dialogs/StartersDialog.tsx')).StartersDialog,
}))
const VersionsDialog = lazy(async () => ({
  default: (await import('./dialogs/VersionsDialog.tsx')).VersionsDialog,
}))

/** An open dialog of the page with its subject. */
export type PlaybookDialog =
  | { readonly kind: 'category'; readonly category: PlaybookCategory | null }
  | { readonly kind: 'changeCategory' | 'versions'; readonly playbook: PlaybookTemplate }
  | { readonly kind: 'bin' | 'export' | 'import' | 'share' | 'starters' }

interface Options {
  readonly canWrite: boolean
  readonly onStarter: (starter: StarterPlaybook) => void
  readonly onImported: (created: readonly CreatedPlaybook[]) => void
  readonly onImportUndone: (ids: readonly string[]) => void
}

/**
 * The dialogs of the page. Each loads when it is opened, and stays mounted so that its work continues while it is closed.
 */
export function usePlaybookDialogs({ canWrite, onStarter, onImported, onImportUndone }: Options) {
  const [current, setCurrent] = useState<PlaybookDialog['kind']>()
  const [opened, setOpened] = useState<readonly PlaybookDialog[]>([])
  const close = () => setCurrent(undefined)
  const elementOf = (dialog: PlaybookDialog): ReactNode => {
    const props = { open: dialog.kind === current, onClose: close }
    if (dialog.kind === 'category') return <CategoryDialog {...props} category={dialog.category} />
    if (dialog.kind === 'changeCategory')
      return <ChangeCategoryDialog {...props} playbook={dialog.playbook} />
    if (dialog.kind === 'versions')
      return <VersionsDialog {...props} playbook={dialog.playbook} canRestore={canWrite} />
    if (dialog.kind === 'bin') return <BinDialog {...props} />
    if (dialog.kind === 'export') return <ExportDialog {...props} />
    if (dialog.kind === 'share') return <ShareDialog {...props} />
    if (dialog.kind === 'import')
      return <ImportDialog {...props} onCreated={onImported} onUndone={onImportUndone} />
    return (
      <StartersDialog
        {...props}
        onChoose={(starter) => {
          close()
          onStarter(starter)
        }}
      />
    )
  }
  return {
    open: (dialog: PlaybookDialog) => {
      setOpened((before) => [...before.filter(({ kind }) => kind !== dialog.kind), dialog])
      setCurrent(dialog.kind)
    },
    element: opened.map((dialog) => <Suspense key={dialog.kind}>{elementOf(dialog)}</Suspense>),
  }
}
