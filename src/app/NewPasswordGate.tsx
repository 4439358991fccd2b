import { Suspense } from 'react'

import { loadMessages } from '#providers/i18nProvider.ts'
import { refreshMe, signOut } from '#providers/send.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

const PasswordDialog = lazy(async () => {
  const [{ PasswordDialog: dialog }] = await Promise.all([
    import('#src/account/PasswordDialog.tsx'),
    loadMessages(),
  ])
  return { default: dialog }
})

/** Replaces the application until the person has set the new password that an administrator requires. */
export const NewPasswordGate = () => (
  <Suspense>
    <PasswordDialog required onClose={() => void signOut()} onChanged={() => void refreshMe()} />
  </Suspense>
)
