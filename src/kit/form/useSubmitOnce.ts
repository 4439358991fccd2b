import { useRef, useState } from 'react'

/**
 * Runs an act that must not run twice at the same time, however quickly it is requested. `onError` hears of what the act
 * itself does not handle, such as a chunk that could not be loaded.
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
