/** Without another key press, typing ends after this. */
const TYPING_MS = 6_000
const NOBODY: readonly string[] = []

/** People who are typing in rooms, each until they stop or fall silent. */
export class Typing {
  readonly #timers = new Map<string, Map<string, ReturnType<typeof setTimeout>>>()
  readonly #ids = new Map<string, readonly string[]>()
  readonly #changed: (roomId: string) => void

  constructor(changed: (roomId: string) => void) {
    this.#changed = changed
  }

  idsIn = (roomId: string): readonly string[] => this.#ids.get(roomId) ?? NOBODY

  start(roomId: string, userId: string): void {
    const timers = this.#timers.get(roomId) ?? new Map<string, ReturnType<typeof setTimeout>>()
    this.#timers.set(roomId, timers)
    clearTimeout(timers.get(userId))
    timers.set(
      userId,
      setTimeout(() => this.stop(roomId, userId), TYPING_MS),
    )
    this.#set(roomId, [...timers.keys()])
  }

  stop(roomId: string, userId: string): void {
    const timers = this.#timers.get(roomId)
    if (!timers?.has(userId)) return
    clearTimeout(timers.get(userId))
    timers.delete(userId)
    this.#set(roomId, [...timers.keys()])
  }

  clear(): void {
    for (const timers of this.#timers.values()) for (const timer of timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#ids.clear()
  }

  #set(roomId: string, ids: readonly string[]): void {
    this.#ids.set(roomId, ids)
    this.#changed(roomId)
  }
}
