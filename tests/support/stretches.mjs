// Preloaded into the product (`--import`): tells its parent how long the main thread was blocked.
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 5

if (isMainThread && process.send) {
  let longest = 0
  let [wall, cpu] = [performance.now(), process.threadCpuUsage()]
  const usedSince = ({ user, system }) => {
    const now = process.threadCpuUsage()
    return [now, (now.user - user + now.system - system) / 1_000]
  }
  setInterval(() => {
    const time = performance.now()
    const [now, used] = usedSince(cpu)
    // The smaller of two measurements, because a busy machine lengthens elapsed time, and work in small
    // pieces processor time.
    longest = Math.max(longest, Math.min(time - wall, used))
    ;[wall, cpu] = [time, now]
  }, TICK_MS).unref()
  process.on('message', (message) => {
    if (message === 'begin') longest = 0
    process.send({ stretch: longest })
  })
  process.channel.unref()
}
