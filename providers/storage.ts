/*
 * The only access to the browser's storage. A person or a policy may have disabled it (blocked cookies): then
 * every access throws, and values stay in memory until the page closes.
 */

type Name = 'localStorage' | 'sessionStorage'

function open(name: Name): Storage | undefined {
  try {
    const storage = globalThis[name]
    storage.getItem('')
    return storage
  } catch {
    return undefined
  }
}

// Libraries access the storage themselves, some while they load. They cope with an absent storage, but not
// with one that throws.
if (typeof window !== 'undefined')
  for (const name of ['localStorage', 'sessionStorage'] as const)
    if (!open(name)) Object.defineProperty(window, name, { value: undefined, configurable: true })

/** A storage that never throws: if the browser refuses a value, memory keeps it. */
function lasting(name: Name) {
  /** Null for a removed key, if the storage cannot be changed. */
  const memory = new Map<string, string | null>()
  return {
    /** False if values end with the page. */
    isLasting: (): boolean => open(name) !== undefined,
    read(key: string): string | null {
      return memory.has(key) ? memory.get(key)! : (open(name)?.getItem(key) ?? null)
    },
    keys(prefix: string): string[] {
      const all = new Set([...Object.keys(open(name) ?? {}), ...memory.keys()])
      return [...all].filter((key) => key.startsWith(prefix) && memory.get(key) !== null)
    },
    /** Null removes the key. */
    write(key: string, value: string | null): void {
      memory.delete(key)
      const storage = open(name)
      try {
        if (!storage) throw new Error('The storage is closed.')
        if (value === null) storage.removeItem(key)
        else storage.setItem(key, value)
      } catch {
        memory.set(key, value)
      }
    },
  }
}

/** Shared by all tabs, kept over restarts. */
export const storage = lasting('localStorage')
/** For this tab, kept over reloads. */
export const tabStorage = lasting('sessionStorage')

/** A channel to the other tabs; null if the browser has none or refuses it. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}
