import { useRef } from 'react'

import { secondFactor as texts } from '#providers/i18n/second-factor.ts'
import { useCopied } from '#src/kit/browser/useCopied.ts'

/** Copies a text and says so for three seconds (foundation §9). */
export function CopyButton({ value, label, onFail }: { value: string; label: string; onFail: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const { isCopied, copy } = useCopied(value)
  const press = () =>
    copy()
      .catch(onFail)
      .finally(() => button.current?.focus())
  return (
    <button
      ref={button}
      type="button"
      className="plain-button"
      data-tone="quiet"
      onClick={() => void press()}
    >
      <span aria-hidden="true" className="copy-mark" data-done={isCopied} />
      <span aria-live="polite">{isCopied ? texts.copied : label}</span>
    </button>
  )
}
