import { useEffect, useState } from 'react'

/** A value once it has not changed for `delay` milliseconds; an empty text at once. */
export function useDebounced(value: string, delay: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}
