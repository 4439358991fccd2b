/** Ticks as often as the first message says, in milliseconds: the timers of workers are not slowed down in hidden tabs. */
self.addEventListener('message', ({ data }: MessageEvent<number>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  setInterval(() => self.postMessage(null), data)
})
