/**
 * Ticks at the interval of the first message, in milliseconds. Browsers do not slow down workers' timers in
 * hidden tabs.
 */
self.addEventListener('message', ({ data }: MessageEvent<number>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  setInterval(() => self.postMessage(null), data)
})
