import { useRef, useState } from 'react'

/**
 * Ignores calls while `act` runs, so that a form is submitted once. `onError` receives errors that `act` does
 * not handle, such as a chunk that failed to load.
 */
export function useSubmitOnce(
  act: () => Promise<void>,
  onError?: (error: unknown) => void,
): { busy: boolean; submit: () => void } {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const submit = () => {
    if (running.current) return
    running.current = true
    setBusy(true)
    const settled = onError ? act().catch(onError) : act()
    void settled.finally(() => {
      running.current = false
      setBusy(false)
    })
  }
  return { busy, submit }
}
