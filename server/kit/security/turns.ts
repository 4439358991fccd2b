import { Refusal } from '../http/refusal.ts'

/** Lets so many do costly work at once; the others wait, and when too many wait already, the next is told so. */
export function takeTurns({ atOnce, waitingMax = Infinity }: { atOnce: number; waitingMax?: number }) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax)
        throw new Refusal(503, 'The server is busy. Please try again in a moment.')
      // Whoever ends hands the place over, so that nobody who comes at that moment takes it.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
