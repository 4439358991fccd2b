import { chatApi } from '#contract/chat/api.ts'

import { call } from '../../api.ts'
import { statusOf } from '../../problem.ts'
import { storage } from '../../storage.ts'
import { keptKey, keptOf } from '../kept.ts'

/** First and longest pause between two attempts. */
const RETRY_MS = { first: 5_000, most: 60_000 }
/** A mention not reported within a day is no longer of interest. */
const KEPT_MS = 24 * 60 * 60 * 1_000
/** Refusals after which a retry can succeed. */
const PASSING = new Set([401, 408, 429])

/** A message whose mentions have changed at the service. */
interface Report {
  readonly roomId: string
  readonly messageId: string
  readonly at: number
}

/**
 * Reports messages sent, changed or deleted at the service to our server, which reads them there and notifies
 * mentioned people. Failed reports are kept in the browser and retried, also by the next page.
 */
export class MentionReports {
  readonly #user: string
  readonly #reports = new Map<string, Report>()
  /** Messages in sending, which our server would not find at the service yet. */
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

  /** Stores a report before its message is sent, because the page may be closed before the service responds. */
  prepare(roomId: string, messageId: string): void {
    this.#leaving.add(messageId)
    this.#keep({ roomId, messageId, at: Date.now() })
  }
  /** Reports a message that the service has probably stored. */
  report(roomId: string, messageId: string): void {
    this.#leaving.delete(messageId)
    this.#keep({ roomId, messageId, at: Date.now() })
    void this.#run()
  }
  /** Stops; pending reports stay in the browser. */
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

  /** Returns false when the call has to be retried. */
  async #tell(report: Report): Promise<boolean> {
    const { roomId: id, messageId } = report
    try {
      await call(chatApi.hostedMentions, { params: { id }, body: { messageId } })
    } catch (error) {
      const status = statusOf(error) ?? 0
      if (status < 400 || status >= 500 || PASSING.has(status)) return false
    }
    // The report may have been replaced meanwhile.
    if (this.#reports.get(messageId) === report) this.#remove(report)
    return true
  }
}
