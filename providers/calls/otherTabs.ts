import { getSession } from '../session.ts'
import { openChannel } from '../storage.ts'

const CHANNEL = 'muster.calls'
/** Silence after which a tab in a call counts as closed. */
const STALE_MS = 8_000
/** Timeout for another tab to leave. */
const LEAVE_MS = 3_000

export interface CallElsewhere {
  readonly callId: string
  readonly roomId: string
  readonly title: string
}
interface Post {
  readonly uuid: string | null
  readonly tab: string
  readonly news:
    | { readonly type: 'state'; readonly call: CallElsewhere | null }
    | { readonly type: 'who' }
    | { readonly type: 'leave' }
}
interface Parts {
  readonly mine: () => CallElsewhere | null
  /** Called when another tab takes over the call. */
  readonly leave: () => void
  readonly changed: () => void
}

/** Messages between the browser's tabs about their calls. */
export class OtherTabs {
  readonly #tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  readonly #calls = new Map<string, { readonly call: CallElsewhere; readonly timer: number }>()
  readonly #parts: Parts
  #channel: ReturnType<typeof openChannel> = null
  #current: CallElsewhere | null = null
  #waiting: (() => void)[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Starts listening. Returns a function that stops. */
  start(): () => void {
    this.#channel = openChannel(CHANNEL)
    if (!this.#channel) return () => undefined
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Post>) => this.#hear(data))
    this.#post({ type: 'who' })
    return () => {
      this.say()
      this.#channel?.close()
      this.#channel = null
      for (const tab of this.#calls.keys()) this.#forget(tab)
    }
  }

  /** The call of another tab; null for none. */
  readonly current = (): CallElsewhere | null => this.#current

  /** Tells the other tabs about this one's call. Repeated during the call, more often than every `STALE_MS`. */
  say(): void {
    this.#post({ type: 'state', call: this.#parts.mine() })
  }

  /** Makes the other tabs leave their calls, and waits for it. */
  async leave(): Promise<void> {
    if (this.#current === null) return
    this.#post({ type: 'leave' })
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LEAVE_MS)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #hear({ uuid, tab, news }: Post) {
    if (tab === this.#tab || uuid !== getSession().uuid) return
    if (news.type === 'leave') this.#parts.leave()
    else if (news.type === 'who') {
      if (this.#parts.mine() !== null) this.say()
    } else if (news.call === null) this.#forget(tab)
    else {
      clearTimeout(this.#calls.get(tab)?.timer)
      const timer = window.setTimeout(() => this.#forget(tab), STALE_MS)
      this.#calls.set(tab, { call: news.call, timer })
      this.#look()
    }
  }
  #forget(tab: string) {
    clearTimeout(this.#calls.get(tab)?.timer)
    if (this.#calls.delete(tab)) this.#look()
  }
  #look() {
    const next = [...this.#calls.values()][0]?.call ?? null
    if (next === null) for (const resolve of this.#waiting.splice(0)) resolve()
    if (next?.callId === this.#current?.callId && next?.title === this.#current?.title) return
    this.#current = next
    this.#parts.changed()
  }
  #post(news: Post['news']) {
    const post: Post = { uuid: getSession().uuid, tab: this.#tab, news }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is no window
    this.#channel?.postMessage(post)
  }
}
