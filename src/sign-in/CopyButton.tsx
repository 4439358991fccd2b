import { useEffect, useRef, useState } from 'react'

import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { copyText } from '#src/kit/clipboard.ts'

const SAID_MS = 3_000

/** Copies a text and says so for three seconds (foundation §9). */
export function CopyButton({ value, label, onFail }: { value: string; label: string; onFail: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return undefined
    const timer = setTimeout(() => setCopied(0), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    copyText(value)
      .then(() => setCopied((times) => times + 1), onFail)
      .finally(() => button.current?.focus())
  return (
    <button ref={button} type="button" className="plain-button" data-tone="quiet" onClick={() => void copy()}>
      <span aria-hidden="true" className="copy-mark" data-done={copied > 0} />
      <span aria-live="polite">{copied > 0 ? texts.copied : label}</span>
    </button>
  )
}
