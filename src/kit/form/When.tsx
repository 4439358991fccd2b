import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'

/** Renders a part of a form while one of its fields has a value. */
export function When({ source, children }: { source: string; children: ReactNode }) {
  return useWatch({ name: source }) ? children : null
}
