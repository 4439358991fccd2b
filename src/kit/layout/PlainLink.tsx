import type { MouseEvent, ReactNode } from 'react'

import { type EntryState, go } from '../browser/location.ts'

interface Props {
  to: string
  state?: EntryState
  children: ReactNode
  className?: string
}

/** A link between pages that live without a router. */
export function PlainLink({ to, state, children, className }: Props) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    go(to, state ? { state } : {})
  }
  return (
    <a href={to} onClick={follow} className={className}>
      {children}
    </a>
  )
}
