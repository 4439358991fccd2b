import { callsApi } from '#contract/calls/api.ts'
import {
  type CallDetails,
  type CallFrame,
  type CallMessage,
  ENGINE_LIFE,
  type JoinedCall,
  LowerHand,
  type MediaState,
  SIGN_EVERY,
} from '#contract/calls/schema.ts'
import { pathOf } from '#contract/kit/endpoint.ts'

import { call } from '../api.ts'
import { chat } from '../chat/chat.ts'
import { live } from '../live.ts'
import { statusOf } from '../problem.ts'
import { send } from '../send.ts'
import { apiUrl } from '../session.ts'
import { callChoices } from './choices.ts'
import type { EngineState, RunningCall } from './engine.ts'
import { ENGINES } from './engines.ts'
import { tickEvery } from './ticker.ts'

/** Time without a response to heartbeats after which a connection is dead, although it looks open. */
const SILENCE_MS = 5_000
/** Half of the credentials' validity, which leaves the other half for retries. */
const RENEW_AFTER_MS = ENGINE_LIFE / 2
const RENEW_AGAIN_MS = 60_000
/** Signals queued for the server. An engine that needs more reconnects anyway. */
const WAITING_MAX = 200

type Signal = Extract<CallFrame, { type: 'call-signal' }>
type Media = Extract<CallFrame, { type: 'call-media' }>

const startingState = (): EngineState => {
  const { audio, video } = callChoices()
  return {
    status: 'starting',
    tiles: [],
    media: { audio, video, screen: false },
    videoPaused: null,
    problem: null,
  }
}

/** `failed`: the engine could not be loaded or started. */
export type CallEnd = 'over' | 'left-by-engine' | 'failed'
interface Parts {
  readonly changed: () => void
  /** Called every `SIGN_EVERY` milliseconds, in a hidden tab too. */
  readonly ticked: () => void
  readonly ended: (why: CallEnd) => void
}

/**
 * The call of this page: its engine, its heartbeats, and the signals between its participants. It survives an
 * outage of the server, and rejoins where the server has removed the page.
 */
export class ActiveCall {
  state = startingState()
  running: RunningCall | null = null
  details: CallDetails
  joined: JoinedCall
  readonly #parts: Parts
  readonly #stops: (() => void)[] = []
  /** Frames received before the engine loaded. */
  readonly #early: (Signal | Media)[] = []
  #waiting: CallMessage[] = []
  #announced: MediaState | null = null
  #answeredAt = 0
  #tickedAt = 0
  /** True once the chat has shown this call: its earlier state may be older than the call. */
  #isKnown = false
  #isJoining = false
  /** In wall-clock time, because other clocks stop while the device sleeps. */
  #renewAt = Date.now() + RENEW_AFTER_MS
  #isClosed = false

  constructor(joined: JoinedCall, parts: Parts) {
    this.joined = joined
    this.details = joined.call
    this.#parts = parts
  }

  /** Starts the call. Reports by `changed` and `ended`, and never rejects. */
  async open(): Promise<void> {
    const { roomId } = this.joined
    live.isInCall = true
    this.#answeredAt = performance.now()
    this.#stops.push(
      tickEvery(SIGN_EVERY, () => this.#tick()),
      live.watch(() => this.#connected()),
      chat.watch(`room ${roomId}`, () => this.#roomChanged()),
      watchNetworkPath(() => this.running?.restart()),
    )
    this.#connected()
    void chat.loadRoom(roomId).then(() => this.#roomChanged())
    try {
      const join = await ENGINES[this.joined.engine.kind]()
      if (!this.#isClosed) await this.#run(await join(this.#engineParts()))
    } catch {
      if (!this.#isClosed) this.#parts.ended('failed')
    }
  }

  /** Ends the call on this page, without telling the server. */
  close(): void {
    this.#isClosed = true
    live.isInCall = false
    for (const stop of this.#stops.splice(0)) stop()
    this.running?.close()
    this.running = null
  }

  /** Tells the server that this page leaves; best effort while the page is being closed. */
  async tellLeft(isClosing = false): Promise<void> {
    const { participantId, call: details } = this.joined
    const params = { id: details.callId, participantId }
    try {
      if (!isClosing) return await call(callsApi.leave, { params })
      await send({
        method: callsApi.leave.method,
        url: apiUrl() + pathOf(callsApi.leave, params),
        asPerson: true,
        transport: (url, init) => fetch(url, { ...init, keepalive: true }),
      })
    } catch {
      // The missing heartbeats remove this participant within seconds anyway.
    }
  }

  /** Asks another participant's page to lower its hand. */
  lowerHand(to: string): void {
    const { participantId: from, call: details } = this.joined
    this.#send({ type: 'call-signal', callId: details.callId, from, to, data: { lowerHand: true } })
  }

  hear(frame: CallFrame): void {
    if (frame.type === 'call-here') this.#answered(frame.isIn)
    else if (frame.type === 'call-signal' || frame.type === 'call-media') {
      if (this.running) this.#deliver(this.running, frame)
      else this.#early.push(frame)
    }
  }

  async #run(running: RunningCall): Promise<void> {
    if (this.#isClosed) return running.close()
    this.running = running
    running.renew(this.joined.engine)
    running.participants(this.details.participants)
    for (const frame of this.#early.splice(0)) this.#deliver(running, frame)
    this.#parts.changed()
  }
  #deliver(running: RunningCall, frame: Signal | Media) {
    if (frame.type === 'call-signal' && LowerHand.safeParse(frame.data).success) running.setHand(null)
    else if (frame.type === 'call-signal') running.receive(frame.from, frame.data)
    else if (frame.participantId !== this.joined.participantId)
      running.heard(frame.participantId, frame.media)
  }

  #engineParts() {
    const { callId } = this.details
    const { participantId, title, engine } = this.joined
    const { devices, audio, video } = callChoices()
    return {
      callId,
      participantId,
      engine,
      title,
      devices,
      media: { audio, video },
      signal: (to: string, data: unknown) =>
        this.#send({ type: 'call-signal', callId, from: participantId, to, data }),
      announce: (media: MediaState) => {
        this.#announced = media
        live.send({ type: 'call-media', callId, participantId, media })
      },
      onState: (state: EngineState) => {
        this.state = state
        this.#parts.changed()
      },
      onLeft: () => this.#parts.ended('left-by-engine'),
    }
  }

  #send(message: CallMessage) {
    if (!live.send(message)) this.#waiting = [...this.#waiting, message].slice(-WAITING_MAX)
  }
  #sign(): boolean {
    const { participantId, call: details } = this.joined
    return live.send({ type: 'call-here', callId: details.callId, participantId })
  }
  #tick() {
    this.#parts.ticked()
    const now = performance.now()
    // A page too busy for heartbeats has not read the responses either.
    if (now - this.#tickedAt > 2 * SIGN_EVERY) this.#answeredAt = now
    this.#tickedAt = now
    if (!this.#sign()) this.#answeredAt = now
    else if (now - this.#answeredAt > SILENCE_MS) {
      this.#answeredAt = now
      live.reconnect()
    }
    // Joining again with the same id only returns fresh credentials.
    if (Date.now() >= this.#renewAt) void this.#rejoin()
  }
  /** Sends a heartbeat first, then the queued messages. */
  #connected() {
    if (live.status() !== 'open') return this.#parts.changed()
    this.#answeredAt = performance.now()
    this.#sign()
    const known = new Set(this.details.participants.map((one) => one.participantId))
    for (const message of this.#waiting.splice(0))
      if (message.type !== 'call-signal' || known.has(message.to)) this.#send(message)
    const { participantId, call: details } = this.joined
    if (this.#announced)
      live.send({ type: 'call-media', callId: details.callId, participantId, media: this.#announced })
    this.#parts.changed()
  }
  #answered(isIn: boolean) {
    this.#answeredAt = performance.now()
    if (!isIn) void this.#rejoin()
  }
  async #rejoin(): Promise<void> {
    if (this.#isJoining) return
    this.#isJoining = true
    this.#renewAt = Date.now() + RENEW_AGAIN_MS
    const { participantId, call: details } = this.joined
    try {
      const joined = await call(callsApi.join, { params: { id: details.callId }, body: { participantId } })
      if (this.#isClosed) return await this.tellLeft()
      this.#renewAt = Date.now() + RENEW_AFTER_MS
      this.joined = { ...this.joined, engine: joined.engine }
      this.running?.renew(joined.engine)
      this.#take(joined.call)
    } catch (error) {
      // Without a response the next heartbeat tries again.
      if (!this.#isClosed && [403, 404, 409].includes(statusOf(error) ?? 0)) this.#parts.ended('over')
    } finally {
      this.#isJoining = false
    }
  }

  #roomChanged() {
    if (this.#isClosed) return
    const { roomId, call: details } = this.joined
    const room = chat.room(roomId)
    if (room === undefined) void chat.loadRoom(roomId)
    else if (room?.callDetails?.callId === details.callId) {
      this.#isKnown = true
      this.#take(room.callDetails)
    } else if (room === null) this.#parts.ended('over')
    // The server may have lost all pages at once; this page then resumes the call.
    else if (this.#isKnown) void this.#rejoin()
  }
  #take(details: CallDetails) {
    this.details = details
    this.running?.participants(details.participants)
    this.#parts.changed()
  }
}

/** Calls `changed` when the device's network may have changed. Returns a function that unsubscribes. */
function watchNetworkPath(changed: () => void): () => void {
  const { connection } = navigator as { connection?: EventTarget }
  connection?.addEventListener('change', changed)
  return () => connection?.removeEventListener('change', changed)
}
