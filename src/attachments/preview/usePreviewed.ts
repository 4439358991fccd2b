import { useEffect, useState } from 'react'

export type Load = () => Promise<Blob>

type State<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'unreachable'; readonly error: unknown; readonly retry: () => void }
  | { readonly status: 'broken' }
  | { readonly status: 'ready'; readonly value: T }

/**
 * Loads a file and reads it. Failures of loading and of reading are told apart.
 * @param read is a module's function, or memoised by the caller
 */
export function usePreviewed<T>(load: Load, read: (content: Blob) => T | Promise<T>): State<T> {
  const [state, setState] = useState<State<T>>({ status: 'loading' })
  useEffect(() => {
    let isGone = false
    const show = (next: State<T>) => {
      if (!isGone) setState(next)
    }
    const begin = () => {
      const retry = () => {
        show({ status: 'loading' })
        begin()
      }
      load().then(
        async (content) => {
          try {
            const value = await read(content)
            show({ status: 'ready', value })
          } catch {
            show({ status: 'broken' })
          }
        },
        (error: unknown) => show({ status: 'unreachable', error, retry }),
      )
    }
    begin()
    return () => {
      isGone = true
    }
  }, [load, read])
  return state
}
