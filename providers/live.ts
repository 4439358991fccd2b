import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

import type { CallFrame, CallMessage } from '#contract/calls/schema.ts'
import type { ChatChange, ChatSignal } from '#contract/chat/schema.ts'
import { LIVE_PATH, liveApi, type LiveEvent, type LiveMessage } from '#contract/kit/live.ts'

import { call } from './api.ts'
import { checkOrganisation } from './readiness.ts'
import { refreshMe } from './send.ts'
import { apiUrl, endSession, getSession } from './session.ts'
import { storage } from './storage.ts'
import { useIsActiveTab } from './tabs.ts'

export type LiveStatus = 'connecting' | 'open' | 'down'
/** News on the socket: one change, or a gap after which everything is requested again. */
export type LiveNews = LiveEvent | { readonly type: 'reset' }
/** Frames of the chat on the socket (decision 037). */
export type ChatFrame = ChatChange | ChatSignal

const STORED = 'muster.live'
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
/** Shorter during a call, because the server expects heartbeats every few seconds. */
const LONGEST_DELAY_IN_CALL_MS = 2_000
/** Time in the background after which a socket may be dead although it looks open. */
const STALE_AFTER_MS = 60_000
/** Close code after a change of the caller's rights. */
const RIGHTS_CHANGED = 4000
/** Close code after a change of the configuration. */
const CONFIGURED = 4002
/** Time over which clients reconnect after a change of the configuration, which may close all sockets at once. */
const CONFIGURED_SPREAD_MS = 2_000

/** Stores the newest received sequence, so that a reloaded page requests only later events. */
const cursor = {
  read(): number | null {
    const [code, sequence] = (storage.read(STORED) ?? '').split(' ')
    return code !== '' && code === getSession().organisation?.code ? Number(sequence) : null
  },
  write(sequence: number) {
    // Events of the console have no sequence, and the storage key belongs to the organisation's application.
    if (getSession().staff) return
    storage.write(STORED, `${getSession().organisation?.code} ${sequence}`)
  },
}

/** A mention creates a notification, which has no event in the stream. */
const MENTIONED = {
  type: 'event',
  noun: 'notifications',
  verb: 'created',
  record: '',
  parent: null,
  sequence: 0,
} as const
const mentionsMe = (frame: ChatFrame): boolean =>
  frame.type === 'chat' &&
  frame.kind === 'message' &&
  frame.message.mentioned_users.includes(getSession().uuid ?? '')

/** The tab's only socket for the server's events. */
class Live {
  #socket: WebSocket | null = null
  #after: number | null = null
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #status: LiveStatus = 'connecting'
  /** Numbers the connections, so that messages of an abandoned one are recognised. */
  #attempt = 0
  readonly #listeners = new Set<(news: LiveNews) => void>()
  readonly #watchers = new Set<() => void>()
  #chatAfter: number | null = null
  #chatListener: ((frame: ChatFrame) => void) | undefined
  /** Frames received before the chat loaded. */
  #chatFrames: ChatFrame[] = []
  #callListener: ((frame: CallFrame) => void) | undefined
  /** True while this page is in a call. */
  isInCall = false

  readonly status = (): LiveStatus => this.#status
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  readonly listen = (listener: (news: LiveNews) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls `listener` with each chat frame since the start. Returns a function that unsubscribes. */
  readonly listenToChat = (listener: (frame: ChatFrame) => void): (() => void) => {
    this.#chatListener = listener
    for (const frame of this.#chatFrames.splice(0)) listener(frame)
    return () => (this.#chatListener = undefined)
  }

  /** Calls `listener` with each call frame from now on. Returns a function that unsubscribes. */
  readonly listenToCalls = (listener: (frame: CallFrame) => void): (() => void) => {
    this.#callListener = listener
    return () => (this.#callListener = undefined)
  }
  /** Sends a message to the server. Returns false without a connection, and then sends nothing. */
  send(message: CallMessage): boolean {
    if (this.#status !== 'open' || this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }
  /** Drops a connection that only looks open, and connects again. */
  reconnect(): void {
    this.#become('down')
    void this.#connect()
  }

  /** Connects and reconnects. Returns a function that stops. */
  start(): () => void {
    this.#after = cursor.read()
    this.#chatAfter = null
    this.#chatFrames = []
    this.#failures = 0
    this.#become('connecting')
    void this.#connect()
    let hiddenAt = 0
    const again = () => void this.#connect()
    const lost = () => {
      this.#drop()
      this.#become('down')
    }
    const seen = () => {
      if (document.hidden) hiddenAt = Date.now()
      else if (Date.now() - hiddenAt > STALE_AFTER_MS) again()
    }
    window.addEventListener('online', again)
    window.addEventListener('offline', lost)
    document.addEventListener('visibilitychange', seen)
    return () => {
      window.removeEventListener('online', again)
      window.removeEventListener('offline', lost)
      document.removeEventListener('visibilitychange', seen)
      this.#drop()
    }
  }

  async #connect() {
    this.#drop()
    const attempt = ++this.#attempt
    const current = () => attempt === this.#attempt
    try {
      const { ticket } = await call(liveApi.ticket)
      if (!current()) return
      const url = new URL(apiUrl() + LIVE_PATH, location.href)
      url.protocol = url.protocol.replace('http', 'ws')
      const socket = new WebSocket(url)
      this.#socket = socket
      socket.addEventListener('open', () =>
        socket.send(JSON.stringify({ ticket, after: this.#after, chatAfter: this.#chatAfter })),
      )
      socket.addEventListener('message', ({ data }) => {
        if (current()) this.#receive(JSON.parse(String(data)))
      })
      socket.addEventListener('close', ({ code }) => {
        if (!current()) return
        if (code === RIGHTS_CHANGED && !getSession().staff) void refreshMe().catch(() => undefined)
        if (code === CONFIGURED) this.#startAnew()
        else this.#retry()
      })
    } catch {
      if (current()) this.#retry()
    }
  }

  /** Closes the connection and drops pending messages. */
  #drop() {
    this.#attempt++
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#socket = null
  }

  #retry() {
    this.#socket = null
    this.#become('down')
    if (!getSession().tokens) return
    const longest = this.isInCall ? LONGEST_DELAY_IN_CALL_MS : LONGEST_DELAY_MS
    const delay = Math.min(longest, FIRST_DELAY_MS * 2 ** this.#failures++)
    // Jitter, so that the clients of a restarted server do not all reconnect at once.
    this.#timer = setTimeout(() => void this.#connect(), delay * (0.5 + Math.random() / 2))
  }

  /** Reconnects as if for the first time, because rights, limits and toggles may have changed. */
  #startAnew() {
    this.#socket = null
    this.#after = null
    this.#become('connecting')
    this.#timer = setTimeout(() => {
      void checkOrganisation()
      void refreshMe().catch(() => undefined)
      void this.#connect()
    }, Math.random() * CONFIGURED_SPREAD_MS)
  }

  #receive(data: unknown) {
    // Not parsed: the server has validated the message, and the schemas would enlarge the bundle.
    const message = data as LiveMessage | ChatFrame | CallFrame
    if (message.type.startsWith('chat')) return this.#receiveChat(message as ChatFrame)
    if (message.type.startsWith('call')) return this.#callListener?.(message as CallFrame)
    this.#receiveEvent(message as LiveMessage)
  }

  #receiveChat(frame: ChatFrame) {
    if (frame.type === 'chat' || frame.type === 'chat-ready') this.#chatAfter = frame.sequence
    if (this.#chatListener) this.#chatListener(frame)
    else this.#chatFrames.push(frame)
    if (mentionsMe(frame)) this.#publish(MENTIONED)
  }

  #receiveEvent(message: LiveMessage) {
    if (message.type === 'ended') return endSession('expired')
    // Changes between the first requests and this first connection were not published.
    if (message.type === 'reset' || this.#after === null) this.#publish({ type: 'reset' })
    else if (message.type === 'event') this.#publish(message)
    this.#after = message.sequence
    cursor.write(message.sequence)
    if (message.type !== 'ready') return
    this.#failures = 0
    this.#become('open')
  }

  #publish(news: LiveNews) {
    for (const listener of this.#listeners) listener(news)
  }

  #become(status: LiveStatus) {
    if (status === this.#status) return
    this.#status = status
    for (const watcher of this.#watchers) watcher()
  }
}

export const live = new Live()

export const useLiveStatus = (): LiveStatus => useSyncExternalStore(live.watch, live.status)

/** Calls `listener` with each message of the socket while the component is mounted. */
export function useLive(listener: (news: LiveNews) => void) {
  const latest = useEffectEvent(listener)
  useEffect(() => live.listen((news) => latest(news)), [])
}

/** The polling interval of this tab while the socket is down; false while the socket is open or another tab polls. */
export function useFallbackInterval(seconds: number): number | false {
  const down = useLiveStatus() === 'down'
  const asks = useIsActiveTab()
  return down && asks && seconds * 1_000
}
