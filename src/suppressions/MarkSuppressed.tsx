import { type ReactNode, Suspense, useMemo, useState } from 'react'

import type { Suppression } from '#contract/suppressions/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

import { SuppressedContext } from './context.ts'
import { useSuppressions } from './queries.ts'

const SuppressionDialog = lazy(async () => ({
  default: (await import('./SuppressionDialog.tsx')).SuppressionDialog,
}))

interface Props {
  /** Lists of email addresses and numbers on screen, each asked for on its own; memoised by the caller. */
  lists: readonly (readonly (string | null)[])[]
  children: ReactNode
}

/** Looks up which of the addresses on screen are not tried, for the marks inside, and shows the dialog of a mark. */
export function MarkSuppressed({ lists, children }: Props) {
  const found = useSuppressions(lists)
  const [shown, setShown] = useState<readonly Suppression[]>()
  const value = useMemo(() => ({ found, show: setShown }), [found])
  return (
    <SuppressedContext.Provider value={value}>
      {children}
      <Suspense>
        {shown && <SuppressionDialog suppressions={shown} onClose={() => setShown(undefined)} />}
      </Suspense>
    </SuppressedContext.Provider>
  )
}
