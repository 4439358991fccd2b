import { useSyncExternalStore } from 'react'

/** Interval of checks for a new version, and delay of the prompt (decisions §3). */
export const CHECK_MINUTES = 5
export const PROMPT_AFTER_MINUTES = 1
/** Delay of the automatic reload after Dismiss. */
export const RELOAD_AFTER_MINUTES = 30

const MINUTE = 60_000

/** `found` becomes `prompted` after a while; `dismissed` ends with a reload. */
export type UpdateState = 'current' | 'found' | 'prompted' | 'dismissed'

async function newestVersion(): Promise<string | null> {
  const response = await fetch('/meta.json', { cache: 'no-store' })
  if (!response.ok) return null
  const { version } = (await response.json()) as { version?: unknown }
  return typeof version === 'string' ? version : null
}

/** True for a page with unsaved input, which would ask before leaving. */
function hasUnsaved(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

/** Detects a newer version on the server and loads it (foundation §4 "Update flow"). */
class Update {
  #state: UpdateState = 'current'
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  readonly #watchers = new Set<() => void>()

  readonly state = (): UpdateState => this.#state
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Polls for a new version. Returns a function that stops. */
  start(): () => void {
    const timer = setInterval(() => void this.#check(), CHECK_MINUTES * MINUTE)
    return () => {
      clearInterval(timer)
      for (const each of this.#timers) clearTimeout(each)
      this.#timers.clear()
      this.#become('current')
    }
  }

  /** Clears the caches and loads the newer version. */
  async bring(): Promise<void> {
    // A browser with disabled storage refuses caches too.
    const names = 'caches' in window ? await caches.keys().catch(() => []) : []
    for (const name of names) await caches.delete(name)
    location.reload()
  }

  dismiss(): void {
    this.#become('dismissed')
    this.#after(RELOAD_AFTER_MINUTES, () => this.#bringWhenSaved())
  }

  /** Waits for unsaved input to be saved, because this reload is automatic. */
  #bringWhenSaved() {
    if (hasUnsaved()) this.#after(1, () => this.#bringWhenSaved())
    else void this.bring()
  }

  async #check() {
    if (this.#state !== 'current' || !navigator.onLine) return
    const newest = await newestVersion().catch(() => null)
    if (newest === null || newest === import.meta.env.VITE_APP_VERSION || this.#state !== 'current') return
    this.#become('found')
    this.#after(PROMPT_AFTER_MINUTES, () => this.#become('prompted'))
  }

  #after(minutes: number, act: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, minutes * MINUTE)
    this.#timers.add(timer)
  }

  #become(state: UpdateState) {
    if (state === this.#state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }
}

export const update = new Update()

export const useUpdate = (): UpdateState => useSyncExternalStore(update.watch, update.state)
