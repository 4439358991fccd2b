/**
 * A time in microseconds, from the service's six fractional digits. Serves as the number of a message without
 * known neighbours.
 */
export function microsecondsOf(time: string): number {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  return Math.floor(Date.parse(time) / 1_000) * 1_000_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

interface Numbered {
  readonly id: string
  readonly created_at: string
}

/**
 * Numbers the messages of a room without gaps, as the screens need; the service has no numbers. A page is
 * numbered outward from a message with a known number, or next to one, otherwise from the time of its last
 * message. Times in microseconds grow at least as fast as messages do, so numbers keep the order of messages.
 * They are valid on this page of the browser until the connection is lost.
 */
export class RoomNumbers {
  readonly #byId = new Map<string, { readonly number: number; readonly time: number }>()
  readonly #byNumber = new Map<number, string>()
  /** Number of the last message; 0 for none, undefined while unknown. */
  #last: number | undefined

  get last(): number {
    return this.#last ?? 0
  }
  idOf = (number: number): string | undefined => this.#byNumber.get(number)
  numberOf = (id: string): number | undefined => this.#byId.get(id)?.number

  #set(message: Numbered, number: number): number {
    this.#byId.set(message.id, { number, time: Date.parse(message.created_at) })
    this.#byNumber.set(number, message.id)
    return number
  }
  /** Numbers a message anywhere in the room. */
  one(message: Numbered): number {
    return this.numberOf(message.id) ?? this.#set(message, microsecondsOf(message.created_at))
  }
  /** Numbers consecutive messages, oldest first. `before` and `after` are the adjacent numbers. */
  page(messages: readonly Numbered[], beside: { before?: number; after?: number } = {}): void {
    if (messages.length === 0) return
    const isAnchored = messages.some(({ id }) => this.#byId.has(id))
    if (!isAnchored && beside.before === undefined && beside.after === undefined) this.one(messages.at(-1)!)
    let next = beside.before
    for (const message of messages.toReversed()) {
      const known = this.numberOf(message.id)
      next = known ?? (next === undefined ? undefined : this.#set(message, next - 1))
    }
    let previous = beside.after
    for (const message of messages) {
      const known = this.numberOf(message.id)
      previous = known ?? this.#set(message, (previous ?? 0) + 1)
    }
  }
  /** Numbers the newest messages of the room, which may be empty. */
  newest(messages: readonly Numbered[]): void {
    this.page(messages)
    const last = messages.at(-1)
    this.#last = Math.max(this.last, last ? this.numberOf(last.id)! : 0)
  }
  /** Numbers a message that has just arrived. */
  arrived(message: Numbered): number {
    const known = this.numberOf(message.id)
    const number =
      known ??
      this.#set(message, this.#last === undefined ? microsecondsOf(message.created_at) : this.#last + 1)
    this.#last = Math.max(this.last, number)
    return number
  }
  /** Time of the last known message at or before a number; undefined for none. */
  timeAt(number: number): number | undefined {
    let last: { readonly number: number; readonly time: number } | undefined
    for (const one of this.#byId.values())
      if (one.number <= number && one.number > (last?.number ?? 0)) last = one
    return last?.time
  }
  /** Number of the last known message at a time; 0 for a time before all of them. */
  at(time: string): number {
    const until = Date.parse(time)
    let number = 0
    for (const one of this.#byId.values()) if (one.time <= until) number = Math.max(number, one.number)
    return number
  }
}
