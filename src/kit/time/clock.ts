import { useSyncExternalStore } from 'react'

import { serverNow } from '#providers/serverClock.ts'

export const SECOND = 1_000
export const HALF_MINUTE = 30_000
export const MINUTE = 60_000

interface Ticker {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => number
}

/** One timer shared by all subscribers and aligned to the server's clock; none without subscribers. */
function createTicker(interval: number): Ticker {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    timer = setTimeout(
      () => {
        plan()
        for (const listener of listeners) listener()
      },
      interval - (serverNow() % interval),
    )
  }
  return {
    read: () => Math.floor(serverNow() / interval) * interval,
    subscribe: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) plan()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
}

const tickers = {
  [SECOND]: createTicker(SECOND),
  [HALF_MINUTE]: createTicker(HALF_MINUTE),
  [MINUTE]: createTicker(MINUTE),
}

/** The server's time in milliseconds, rounded down to the interval; re-renders when the next one begins. */
export function useNow(interval: keyof typeof tickers): number {
  const { subscribe, read } = tickers[interval]
  return useSyncExternalStore(subscribe, read)
}
