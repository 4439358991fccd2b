/** Characters of one notification: PostgreSQL has room for 8,000 bytes. */
const PART_MAX = 7_500
/** What begins a part. JSON begins with something else. */
const MARK = '~'

/** JSON with one byte for each character. */
const inAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Cuts JSON, or a text of ASCII alone, into what fits into one notification each, in their order. */
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

/** Puts together what was cut. Parts of one text come in their order, between those of others. */
export class Parts {
  readonly #begun = new Map<string, string[]>()

  /** Returns the whole text with its last part, and undefined before. */
  add(part: string): string | undefined {
    if (!part.startsWith(MARK)) return part
    const [, id = '', n, total, text = ''] = /^~([^/]+)\/(\d+)\/(\d+)\/(.*)$/s.exec(part) ?? []
    const begun = this.#begun.get(id) ?? []
    // The beginning was lost.
    if (begun.length !== Number(n)) return void this.#begun.delete(id)
    this.#begun.set(id, [...begun, text])
    if (begun.length + 1 < Number(total)) return undefined
    this.#begun.delete(id)
    return [...begun, text].join('')
  }

  /** Forgets what was begun: its end may never come. */
  clear(): void {
    this.#begun.clear()
  }
}
