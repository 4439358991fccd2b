import { Suspense } from 'react'

import { useUpdate } from '#providers/update.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

const NewVersionPrompt = lazy(async () => ({
  default: (await import('./NewVersionPrompt.tsx')).NewVersionPrompt,
}))

const UpdateNow = lazy(async () => ({
  default: (await import('./NewVersionPrompt.tsx')).UpdateNow,
}))

/** Asks to load a newer version, once one is available. */
export function NewVersionDialog() {
  if (useUpdate() !== 'prompted') return null
  return (
    <Suspense>
      <NewVersionPrompt />
    </Suspense>
  )
}

/** Stays in the header after Dismiss: a button in its row, or a line below it on phones. */
export function UpdateNowButton(props: { isLine?: boolean }) {
  if (useUpdate() !== 'dismissed') return null
  return (
    <Suspense>
      <UpdateNow {...props} />
    </Suspense>
  )
}
