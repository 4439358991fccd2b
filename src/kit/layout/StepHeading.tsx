import Typography from '@mui/material/Typography'
import { useLayoutEffect, useRef } from 'react'

/**
 * The heading of a step that replaces the previous step on a page. It takes the focus, which was in the removed step.
 */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <Typography ref={heading} variant="h1" gutterBottom tabIndex={-1}>
      {children}
    </Typography>
  )
}
