import { Suspense, useEffect } from 'react'

import { loadMessages } from '#providers/i18nProvider.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { closeShellDialog, openFinder, openShortcuts, useShellDialog } from '#src/kit/layout/shellDialogs.ts'

const FindDialog = lazy(async () => {
  const [{ FindDialog: dialog }] = await Promise.all([import('./find/FindDialog.tsx'), loadMessages()])
  return { default: dialog }
})
const ShortcutsDialog = lazy(async () => {
  const [{ ShortcutsDialog: dialog }] = await Promise.all([
    import('./find/ShortcutsDialog.tsx'),
    loadMessages(),
  ])
  return { default: dialog }
})

const TYPES = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog]'

function onKey(event: KeyboardEvent) {
  // The editor of formatted text uses the same keys for a link.
  if (event.defaultPrevented) return
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
    event.preventDefault()
    openFinder('all')
  }
  if (event.key === '?' && !(event.target as Element).closest(TYPES)) openShortcuts()
}

/** The finder (Ctrl or Cmd with K) and the list of shortcuts (question mark), on every page. */
export function ShellDialogs() {
  const shown = useShellDialog()
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  if (!shown) return null
  return (
    <Suspense>
      {shown.kind === 'find' ? (
        <FindDialog scope={shown.scope} onClose={closeShellDialog} />
      ) : (
        <ShortcutsDialog onClose={closeShellDialog} />
      )}
    </Suspense>
  )
}
