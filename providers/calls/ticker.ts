/**
 * Calls `tick` every `ms` milliseconds until the answer is called, in a hidden tab too: browsers let its own timers run
 * once in a minute only, and who gives no sign for six seconds has left the call.
 */
export function tickEvery(ms: number, tick: () => void): () => void {
  if (typeof Worker === 'undefined') {
    const timer = setInterval(tick, ms)
    return () => clearInterval(timer)
  }
  const worker = new Worker(new URL('./ticker.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', tick)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  worker.postMessage(ms)
  return () => worker.terminate()
}
