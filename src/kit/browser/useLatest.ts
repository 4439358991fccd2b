import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A stable ref to the latest rendered value, for callbacks that run later. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
