import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What was rendered last, for functions that are called later and stay the same meanwhile. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
