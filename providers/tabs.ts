import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { getSession } from './session.ts'
import { openChannel, storage } from './storage.ts'

const KEY = 'muster.tab'
const CHANNEL = 'muster.polled'
const BEAT_MS = 3_000
/** Time without a heartbeat after which the active tab counts as closed (foundation §4 "Tabs"). */
const STALE_MS = 10_000
const SECOND = 1_000

/**
 * Elects the browser tab that polls the server while the live socket is down: the tab that last had the
 * focus, as long as its heartbeat is fresh. It passes its results on to the other tabs.
 */
export class Tabs {
  #id = ''
  #active = true
  readonly #watchers = new Set<() => void>()

  readonly isActive = (): boolean => this.#active
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Joins the election. Returns a function that leaves. */
  start(): () => void {
    this.#id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const claim = () => {
      if (!document.hidden) this.#beat()
    }
    const heard = (event: StorageEvent) => {
      if (event.key === KEY || event.key === null) this.#look()
    }
    const leave = () => {
      if (this.#holder()?.id === this.#id) storage.write(KEY, null)
    }
    window.addEventListener('focus', claim)
    window.addEventListener('storage', heard)
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', claim)
    const timer = setInterval(() => this.#look(), SECOND)
    claim()
    this.#look()
    return () => {
      window.removeEventListener('focus', claim)
      window.removeEventListener('storage', heard)
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', claim)
      clearInterval(timer)
      leave()
      this.#become(true)
    }
  }

  #holder(): { id: string; at: number } | null {
    const [id, at] = (storage.read(KEY) ?? '').split(' ')
    return id ? { id, at: Number(at) } : null
  }

  #look() {
    const holder = this.#holder()
    const age = holder ? Math.abs(Date.now() - holder.at) : Infinity
    if (age > STALE_MS || (holder?.id === this.#id && age >= BEAT_MS)) this.#beat()
    else this.#become(holder?.id === this.#id)
  }

  #beat() {
    storage.write(KEY, `${this.#id} ${Date.now()}`)
    // Without a storage, each tab is on its own.
    this.#become(true)
  }

  #become(active: boolean) {
    if (active === this.#active) return
    this.#active = active
    for (const watcher of this.#watchers) watcher()
  }
}

export const tabs = new Tabs()

/** True in the tab that polls. */
export const useIsActiveTab = (): boolean => useSyncExternalStore(tabs.watch, tabs.isActive)

/** Queries shared between tabs: the organisation's state and notifications (foundation §4 "Tabs"). */
const SHARED: readonly string[] = ['dashboard', 'notifications']
interface Polled {
  readonly uuid: string | null
  readonly key: QueryKey
  readonly data: unknown
}

/** Passes the active tab's results to the others while `asking`. Returns a function that stops. */
export function shareQueries(client: QueryClient, asking: () => boolean): () => void {
  const channel = openChannel(CHANNEL)
  if (!channel) return () => undefined
  channel.addEventListener('message', ({ data: { uuid, key, data } }: MessageEvent<Polled>) => {
    if (uuid === getSession().uuid && client.getQueryData(key) !== undefined) client.setQueryData(key, data)
  })
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    const { queryKey: key, state } = event.query
    if (!asking() || key.length > 1 || !SHARED.includes(key[0] as string)) return
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is no window
    channel.postMessage({ uuid: getSession().uuid, key, data: state.data } satisfies Polled)
  })
  return () => {
    unsubscribe()
    channel.close()
  }
}
