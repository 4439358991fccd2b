import { useEffect, useState } from 'react'

/** Loads the content of a file. */
export type Load = () => Promise<Blob>

type State<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'unreachable'; readonly error: unknown; readonly retry: () => void }
  | { readonly status: 'broken' }
  | { readonly status: 'ready'; readonly value: T }

/**
 * Loads a file and reads it. A file that cannot be loaded is apart from one that cannot be read.
 * @param read is a function of a module, or kept by the caller
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
