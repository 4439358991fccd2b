import { storage } from './storage.ts'

const LOCK = 'muster.refresh'
/** Age from which an entry was left by a closed tab (foundation §9 "Temporary local storage entries"). */
const NOTE_LIFE_MS = 5_000
const NOTE_RENEWED_MS = 2_000
const LOOK_MS = 50

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Runs `work` in one tab of the browser at a time; other tabs wait. */
export async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  let isHeld = false
  const locked = () => {
    isHeld = true
    return work()
  }
  try {
    if (navigator.locks) return await navigator.locks.request(LOCK, locked)
  } catch (error) {
    // A browser with disabled storage refuses locks too.
    if (isHeld) throw error
  }
  return withNote(work)
}

/**
 * A lock by an entry in the storage, because Web Locks need a secure context. The entry names the tab that
 * holds the lock, and is valid as long as that tab renews it.
 */
async function withNote<T>(work: () => Promise<T>): Promise<T> {
  const me = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const write = () => storage.write(LOCK, `${me} ${Date.now()}`)
  const isMine = () => storage.read(LOCK)?.split(' ')[0] === me
  while (!isMine()) {
    const at = Number(storage.read(LOCK)?.split(' ')[1] ?? 0)
    if (Math.abs(Date.now() - at) > NOTE_LIFE_MS) write()
    // If two tabs write at once, the last write wins.
    await pause(LOOK_MS)
  }
  const renewing = setInterval(() => isMine() && write(), NOTE_RENEWED_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    if (isMine()) storage.write(LOCK, null)
  }
}
