import { useRef, useState } from 'react'

/** Runs an act that must not run twice at the same time, however quickly it is asked for. */
export function useSubmitOnce(act: () => Promise<void>): { busy: boolean; submit: () => void } {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)
  const submit = () => {
    if (running.current) return
    running.current = true
    setBusy(true)
    void act().finally(() => {
      running.current = false
      setBusy(false)
    })
  }
  return { busy, submit }
}
