import { useCallback, useEffect, useState } from 'react'

import { copyText } from './clipboard.ts'

/** Duration of the confirmation in milliseconds (foundation §9). */
const SAID_MS = 3_000

/** Copies a text, and confirms it for three seconds. `copy` rejects if the browser refuses. */
export function useCopied(value: string): { readonly isCopied: boolean; readonly copy: () => Promise<void> } {
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return undefined
    const timer = setTimeout(() => setCopied(0), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = useCallback(async () => {
    await copyText(value)
    setCopied((times) => times + 1)
  }, [value])
  return { isCopied: copied > 0, copy }
}
