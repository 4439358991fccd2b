import { Suspense } from 'react'

import { loadMessages } from '#providers/i18nProvider.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

const TermsDialog = lazy(async () => {
  const [{ TermsDialog: dialog }] = await Promise.all([
    import('#src/account/TermsDialog.tsx'),
    loadMessages(),
  ])
  return { default: dialog }
})

/** Requires acceptance of the terms before anything else (foundation §4 "Terms"). */
export function TermsGate() {
  const { user } = useSession()
  if (!user || user.acceptedTerms) return null
  return (
    <Suspense>
      <TermsDialog />
    </Suspense>
  )
}
