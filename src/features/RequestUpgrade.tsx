import Link from '@mui/material/Link'
import { useNotify } from 'react-admin'
import { type ReactNode, useState } from 'react'

import type { Feature } from '#contract/features/schema.ts'
import { HttpProblem } from '#providers/problem.ts'
import { requestUpgrade } from '#providers/upgrade.ts'
import { useText } from '#src/kit/useText.ts'

/** A link that requests a feature from the provider (foundation §8 "Request-upgrade"). */
export function RequestUpgrade({ feature, children }: { feature: Feature; children: ReactNode }) {
  const text = useText()
  const notify = useNotify()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      await requestUpgrade(feature)
      notify(text('kit.upgradeRequested'), { type: 'success' })
    } catch (error) {
      notify(error instanceof HttpProblem ? error.message : text('kit.wentWrong'), { type: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Link component="button" type="button" disabled={busy} onClick={() => void ask()}>
      {children}
    </Link>
  )
}
