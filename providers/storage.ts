/*
 * Everything that the browser keeps goes through here. A person or a policy may have closed its storage (blocked cookies): then
 * each touch throws, and what is kept lives in memory, as long as the page.
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

// Libraries ask for it by themselves, some while they load. What is absent they replace, what throws they do not expect.
if (typeof window !== 'undefined')
  for (const name of ['localStorage', 'sessionStorage'] as const)
    if (!open(name)) Object.defineProperty(window, name, { value: undefined, configurable: true })

/** A storage of the browser that never throws: what it refuses is kept in memory. */
function lasting(name: Name) {
  /** Null for what is removed, where the storage cannot be changed. */
  const memory = new Map<string, string | null>()
  return {
    /** False where what is kept ends with the page. */
    isLasting: (): boolean => open(name) !== undefined,
    read(key: string): string | null {
      return memory.has(key) ? memory.get(key)! : (open(name)?.getItem(key) ?? null)
    },
    keys(prefix: string): string[] {
      const all = new Set([...Object.keys(open(name) ?? {}), ...memory.keys()])
      return [...all].filter((key) => key.startsWith(prefix) && memory.get(key) !== null)
    },
    /** Null removes. */
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

/** Kept for all tabs and over restarts. */
export const storage = lasting('localStorage')
/** Kept for this tab, over reloads. */
export const tabStorage = lasting('sessionStorage')

/** A channel to the other tabs; null where the browser has none or refuses it. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}
