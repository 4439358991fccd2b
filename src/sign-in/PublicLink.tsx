import Link from '@mui/material/Link'
import type { MouseEvent, ReactNode } from 'react'

import { type EntryState, go } from '#src/kit/browser/location.ts'

interface Props {
  to: string
  state?: EntryState
  color?: 'primary' | 'textSecondary'
  children: ReactNode
}

/** A link between the public pages, which have no router. */
export function PublicLink({ to, state, color = 'primary', children }: Props) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    go(to, state ? { state } : {})
  }
  return (
    <Link href={to} color={color} onClick={follow} sx={{ fontSize: '0.875rem' }}>
      {children}
    </Link>
  )
}
