import { useEffect, useRef } from 'react'

/** The heading of a step that took another's place: it takes the focus, so that nobody stays behind. */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
