import { Suspense } from 'react'

import { loadMessages } from '#providers/i18nProvider.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { closeShellDialog, useShellDialog } from '#src/kit/layout/shellDialogs.ts'

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

/** The finder and the list of shortcuts, on every page. */
export function ShellDialogs() {
  const shown = useShellDialog()
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
