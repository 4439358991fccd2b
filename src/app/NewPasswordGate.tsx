import { lazy, Suspense } from 'react'

import { loadMessages } from '#providers/i18nProvider.ts'
import { refreshMe, signOut } from '#providers/send.ts'

const PasswordDialog = lazy(async () => {
  const [{ PasswordDialog: dialog }] = await Promise.all([
    import('#src/account/PasswordDialog.tsx'),
    loadMessages(),
  ])
  return { default: dialog }
})

/** Stands in place of the application until the new password that an administrator asked for is chosen. */
export const NewPasswordGate = () => (
  <Suspense>
    <PasswordDialog required onClose={() => void signOut()} onChanged={() => void refreshMe()} />
  </Suspense>
)
