import { chatApi } from '#contract/chat/api.ts'

import { call } from '../../api.ts'
import { statusOf } from '../../problem.ts'
import { storage } from '../../storage.ts'
import { keptKey, keptOf } from '../kept.ts'

/** Between two attempts: the first wait, and the longest. */
const RETRY_MS = { first: 5_000, most: 60_000 }
/** A mention of which our server was not told within a day is no news any more. */
const KEPT_MS = 24 * 60 * 60 * 1_000
/** Refusals after which the same call can succeed. */
const PASSING = new Set([401, 408, 429])

/** A message whose mentions have changed at the service. */
interface Report {
  readonly roomId: string
  readonly messageId: string
  readonly at: number
}

/**
 * Tells our server of messages that were sent, changed or deleted at the service, so that it reads them there and notifies whom
 * they mention. What our server did not take is kept in the browser and repeated, by the next page too.
 */
export class MentionReports {
  readonly #user: string
  readonly #reports = new Map<string, Report>()
  /** Messages that are being sent, which our server would not find at the service yet. */
  readonly #leaving = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #wait = RETRY_MS.first
  #isRunning = false
  #isClosed = false

  constructor(user: string) {
    this.#user = user
    for (const report of keptOf<Report>('mentions', user))
      if (Date.now() - report.at < KEPT_MS) this.#reports.set(report.messageId, report)
      else this.#remove(report)
    void this.#run()
  }

  /** Keeps a message that is about to be sent: its page may be closed before the service has answered. */
  prepare(roomId: string, messageId: string): void {
    this.#leaving.add(messageId)
    this.#keep({ roomId, messageId, at: Date.now() })
  }
  /** Tells our server of a message that the service may have by now. */
  report(roomId: string, messageId: string): void {
    this.#leaving.delete(messageId)
    this.#keep({ roomId, messageId, at: Date.now() })
    void this.#run()
  }
  /** What was not told stays in the browser. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #keep(report: Report): void {
    this.#reports.set(report.messageId, report)
    storage.write(keptKey('mentions', this.#user, report.messageId), JSON.stringify(report))
  }
  #remove({ messageId }: Report): void {
    this.#reports.delete(messageId)
    storage.write(keptKey('mentions', this.#user, messageId), null)
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    clearTimeout(this.#timer)
    let isRefused = false
    for (let report = this.#next(); report && !isRefused && !this.#isClosed; report = this.#next())
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      isRefused = !(await this.#tell(report))
    this.#isRunning = false
    if (!isRefused) this.#wait = RETRY_MS.first
    else if (!this.#isClosed) {
      this.#timer = setTimeout(() => void this.#run(), this.#wait)
      this.#wait = Math.min(RETRY_MS.most, 2 * this.#wait)
    }
  }
  #next = (): Report | undefined =>
    [...this.#reports.values()].find(({ messageId }) => !this.#leaving.has(messageId))

  /** Returns false where the call is to be repeated. */
  async #tell(report: Report): Promise<boolean> {
    const { roomId: id, messageId } = report
    try {
      await call(chatApi.hostedMentions, { params: { id }, body: { messageId } })
    } catch (error) {
      const status = statusOf(error) ?? 0
      if (status < 400 || status >= 500 || PASSING.has(status)) return false
    }
    // It may have changed again meanwhile.
    if (this.#reports.get(messageId) === report) this.#remove(report)
    return true
  }
}
