/** Characters per notification: PostgreSQL allows 8,000 bytes. */
const PART_MAX = 7_500
/** First character of a part, which JSON cannot begin with. */
const MARK = '~'

/** JSON escaped to one byte per character. */
const inAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Splits JSON or ASCII text into parts of one notification each, in order. */
export function partsOf(payload: string): string[] {
  const text = inAscii(payload)
  if (text.length <= PART_MAX) return [text]
  const id = crypto.randomUUID()
  const total = Math.ceil(text.length / PART_MAX)
  return Array.from(
    { length: total },
    (_, n) => `${MARK}${id}/${n}/${total}/${text.slice(n * PART_MAX, (n + 1) * PART_MAX)}`,
  )
}

/** Joins parts. Parts of one text arrive in order, interleaved with those of others. */
export class Parts {
  readonly #begun = new Map<string, string[]>()

  /** Returns the whole text with its last part, otherwise undefined. */
  add(part: string): string | undefined {
    if (!part.startsWith(MARK)) return part
    const [, id = '', n, total, text = ''] = /^~([^/]+)\/(\d+)\/(\d+)\/(.*)$/s.exec(part) ?? []
    const begun = this.#begun.get(id) ?? []
    // Earlier parts were lost.
    if (begun.length !== Number(n)) return void this.#begun.delete(id)
    this.#begun.set(id, [...begun, text])
    if (begun.length + 1 < Number(total)) return undefined
    this.#begun.delete(id)
    return [...begun, text].join('')
  }

  /** Discards incomplete texts, whose remaining parts may never arrive. */
  clear(): void {
    this.#begun.clear()
  }
}
