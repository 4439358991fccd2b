import { useEffect, useState } from 'react'

import { messageOf, statusOf } from '#providers/problem.ts'

import { reasonOf, type Unpreviewed } from './previewValues.ts'

/** Returns the content of a file, or one page of an image that the server converts. */
export type Load = (page?: number) => Promise<Blob>

/** Milliseconds before each further try while the server is busy. */
const WAITS = [2_000, 4_000, 8_000, 16_000, 30_000]
/** Refusals that another try does not change. */
const FINAL = [400, 413, 415]

type State<T> =
  | { readonly status: 'loading' | 'waiting' }
  | { readonly status: 'unreachable'; readonly error: unknown; readonly retry: () => void }
  | { readonly status: 'refused'; readonly sentence: string }
  | { readonly status: 'broken'; readonly because: Unpreviewed }
  | { readonly status: 'ready'; readonly value: T }

/**
 * Loads a file and reads it. Failures of loading and of reading are told apart. While the server is busy (503), it is
 * asked again by itself.
 * @param read is a module's function, or memoised by the caller; `signal` ends what it holds
 */
export function usePreviewed<T>(
  load: Load,
  read: (content: Blob, signal: AbortSignal) => T | Promise<T>,
): State<T> {
  const [state, setState] = useState<State<T>>({ status: 'loading' })
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (next: State<T>) => {
      if (!signal.aborted) setState(next)
    }
    const fail = (error: unknown, tries: number) => {
      const wait = WAITS[tries]
      const isBusy = statusOf(error) === 503
      if (isBusy && wait !== undefined) {
        show({ status: 'waiting' })
        if (!signal.aborted) timer = setTimeout(() => begin(tries + 1), wait)
        return
      }
      const sentence = FINAL.includes(statusOf(error) ?? 0) ? messageOf(error, '') : ''
      if (sentence !== '') show({ status: 'refused', sentence })
      else show({ status: 'unreachable', error, retry })
    }
    const begin = (tries: number) => {
      load().then(
        async (content) => {
          try {
            const value = await read(content, signal)
            show({ status: 'ready', value })
          } catch (error) {
            show({ status: 'broken', because: reasonOf(error) ?? 'broken' })
          }
        },
        (error: unknown) => fail(error, tries),
      )
    }
    const retry = () => {
      show({ status: 'loading' })
      begin(0)
    }
    begin(0)
    return () => {
      over.abort()
      clearTimeout(timer)
    }
  }, [load, read])
  return state
}
