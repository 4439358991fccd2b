/**
 * Calls `tick` every `ms` milliseconds, in a hidden tab too. Browsers slow a hidden page's timers to one a
 * minute, but six seconds without a heartbeat end a call. Returns a function that stops.
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
