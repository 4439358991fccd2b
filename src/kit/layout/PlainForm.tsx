import type { FormEvent, ReactNode } from 'react'

import { onceClicked } from '../form/onceClicked.ts'

interface Props {
  onSubmit: () => void
  /** Something is being typed: what the form needs can load. */
  onInput: () => void
  busy: boolean
  /** Whether it cannot be sent now. */
  blocked?: boolean
  /** The name of the button. */
  label: string
  children: ReactNode
}

/** A form of the pages that live without the theme, and the button that sends it. */
export function PlainForm({ onSubmit, onInput, busy, blocked = false, label, children }: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!blocked) onSubmit()
  }
  return (
    <form onSubmit={send} onInput={onInput} noValidate>
      {children}
      <button
        type="submit"
        onClick={onceClicked}
        className="plain-button"
        disabled={blocked}
        aria-disabled={busy || blocked}
      >
        {label}
      </button>
    </form>
  )
}
