import type { IceServer, MediaState } from '#contract/calls/schema.ts'

import type { Quality } from '../engine.ts'
import {
  bestLevel,
  FRESH_LINE,
  type LineLevel,
  nextLevel,
  NO_CAMERA,
  NO_COUNTERS,
  qualityOf,
  readLine,
  SIZES,
  SOUND_ALONE,
} from './line.ts'
import { type Source, SOURCES } from './ownMedia.ts'
import { preferCodecs, tuned } from './sdp.ts'

/**
 * A signal between two participants. The later one makes all offers, so offers never cross. An answer carries
 * the number of its offer; outdated answers are dropped.
 */
export interface PeerSignal {
  /** Id of the connection. */
  readonly session?: string
  readonly offer?: { readonly sdp: string; readonly number: number }
  readonly answer?: { readonly sdp: string; readonly number: number }
  readonly candidates?: readonly RTCIceCandidateInit[]
  readonly media?: MediaState
  /** Requests an offer from the other end. */
  readonly again?: true
}
interface Parts {
  readonly iceServers: () => readonly IceServer[]
  readonly send: (signal: PeerSignal) => void
  readonly track: (source: Source) => MediaStreamTrack | null
  readonly media: () => MediaState
  readonly changed: () => void
}

const CANDIDATES_AFTER_MS = 40
/** Time for a connection to come up before it starts anew. */
const CONNECT_WITHIN_MS = 10_000
/** Time without an answer before an offer is repeated. */
const ANSWER_WITHIN_MS = 4_000
/** Downtime after which a connection restarts ICE, and again every `RETRY_MS`. */
const DOWN_MS = 1_000
const RETRY_MS = 3_000
const GIVE_UP_MS = 20_000
/** Time without new frames after which a picture is hidden. */
const STILL_MS = 4_000
const SPEECH = 0.02
const AUDIO_BITRATE = 40_000
const SCREEN_BITRATE = 1_200_000

const SILENT: MediaState = { audio: false, video: false, screen: false }

/** The connection to another participant. */
export class Peer {
  media: MediaState = SILENT
  quality: Quality = null
  line: LineLevel = FRESH_LINE
  /** True when this end makes the offers. */
  #offers = false
  readonly bornAt = performance.now()
  readonly #parts: Parts
  #connection: RTCPeerConnection | null = null
  #session = ''
  #offerNumber = 0
  #offeredAt = 0
  #begunAt = 0
  #downSince: number | null = null
  #triedAt = 0
  #isUp = false
  #work: Promise<void> = Promise.resolve()
  #early: RTCIceCandidateInit[] = []
  #found: RTCIceCandidateInit[] = []
  #foundTimer: number | undefined
  #channel: RTCDataChannel | null = null
  #counters = NO_COUNTERS
  readonly #movedAt = { camera: -Infinity, screen: -Infinity }
  #streams: { camera: MediaStream; screen: MediaStream } | null = null
  readonly #sound = new Audio()
  #people = 2
  #isClosed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#sound.autoplay = true
    this.#begunAt = performance.now()
  }

  get isConnected(): boolean {
    return this.#connection?.connectionState === 'connected'
  }
  get wasConnected(): boolean {
    return this.#isUp
  }
  get offers(): boolean {
    return this.#offers
  }
  /** The received picture; null while there is none. */
  get camera(): MediaStream | null {
    const isMoving = performance.now() - this.#movedAt.camera < STILL_MS
    return this.media.video && isMoving ? (this.#streams?.camera ?? null) : null
  }
  get screen(): MediaStream | null {
    // A screen without changes sends no frames.
    return this.media.screen && this.#movedAt.screen > 0 ? (this.#streams?.screen ?? null) : null
  }
  get isSpeaking(): boolean {
    const [receiver] = this.#connection?.getReceivers() ?? []
    const [source] = receiver?.getSynchronizationSources() ?? []
    return this.media.audio && (source?.audioLevel ?? 0) > SPEECH
  }

  /** Makes this end the offering one, with a new connection. */
  begin(): void {
    this.#offers = true
    this.#enqueue(async () => {
      this.#renew(crypto.randomUUID())
      const connection = this.#connection!
      connection.addTransceiver('audio', { direction: 'sendrecv' })
      preferCodecs(connection.addTransceiver('video', { direction: 'sendrecv' }))
      preferCodecs(connection.addTransceiver('video', { direction: 'sendrecv' }))
      this.#attach()
      await this.#offer()
    })
  }
  /** Makes the other end the offering one. */
  await(): void {
    this.#offers = false
    this.#begunAt = performance.now()
    this.#triedAt = performance.now()
    this.#drop()
  }
  receive(signal: PeerSignal): void {
    this.#enqueue(() => this.#handle(signal))
  }
  /** Sends the current track of a source, or none. */
  async replaced(source: Source): Promise<void> {
    const sender = this.#senders()[SOURCES.indexOf(source)]
    await sender?.replaceTrack(this.#parts.track(source)).catch(() => undefined)
    await this.#limit()
  }
  announce(): void {
    if (this.#channel?.readyState === 'open') this.#channel.send(JSON.stringify(this.#parts.media()))
  }
  heard(media: Partial<MediaState> | null): void {
    // Another browser's message, which the server has not validated.
    this.media = {
      audio: media?.audio === true,
      video: media?.video === true,
      screen: media?.screen === true,
      ...(typeof media?.hand === 'number' && { hand: media.hand }),
    }
    this.#parts.changed()
  }
  setPeople(people: number): void {
    if (people === this.#people) return
    this.#people = people
    void this.#limit()
  }
  async useOutput(id: string | null): Promise<void> {
    await (this.#sound as { setSinkId?: (id: string) => Promise<void> })
      .setSinkId?.(id ?? '')
      .catch(() => undefined)
  }
  /** Uses the current ICE servers from the next restart on. */
  useServers(): void {
    // Firefox has `setConfiguration` since version 119.
    const connection = this.#connection as { setConfiguration?: (to: RTCConfiguration) => void } | null
    connection?.setConfiguration?.(this.#configuration())
  }
  /** Restarts ICE to find a new network path. */
  restart(): void {
    this.#triedAt = performance.now()
    if (this.#offers) this.#enqueue(() => this.#offer(true))
    else this.#parts.send({ session: this.#session, again: true })
  }
  close(): void {
    this.#isClosed = true
    this.#drop()
    this.#sound.srcObject = null
  }

  /** Keeps the connection up. Called about once a second. */
  tick(): void {
    const now = performance.now()
    if (this.isConnected) {
      this.#downSince = null
      return
    }
    if (this.#isUp) this.#downSince ??= now
    if (now - this.#triedAt < RETRY_MS) return
    if (this.#offers) this.#keepOffering(now)
    else this.#keepAsking(now)
  }
  #keepOffering(now: number) {
    const patience = this.#isUp ? GIVE_UP_MS : CONNECT_WITHIN_MS
    if (now - (this.#downSince ?? this.#begunAt) > patience) {
      this.#triedAt = now
      this.begin()
    } else if (this.#connection?.signalingState === 'have-local-offer') {
      if (now - this.#offeredAt > ANSWER_WITHIN_MS) this.#repeatOffer()
    } else if (this.#downSince !== null && now - this.#downSince > DOWN_MS) this.restart()
  }
  #keepAsking(now: number) {
    const beforeItIsUp = this.#session === '' ? ANSWER_WITHIN_MS : CONNECT_WITHIN_MS
    if (now - (this.#downSince ?? this.#begunAt) > (this.#isUp ? DOWN_MS : beforeItIsUp)) this.restart()
  }
  /** Measures the connection and reduces pictures in favour of sound. Called every two seconds. */
  async measure(): Promise<void> {
    const connection = this.#connection
    if (!connection || !this.isConnected) return
    const reports = await connection.getStats().then(
      (all) => [...all.values()],
      () => [],
    )
    if (connection !== this.#connection) return
    const [, camera, screen] = connection.getTransceivers()
    const before = this.#counters
    const { sample, counters } = readLine(reports, before, [camera?.mid ?? null, screen?.mid ?? null])
    this.#counters = counters
    if (counters.frames[0] > before.frames[0]) this.#movedAt.camera = performance.now()
    if (counters.frames[1] > before.frames[1]) this.#movedAt.screen = performance.now()
    this.quality = qualityOf(sample)
    const isSending = this.#parts.track('video') !== null || this.#parts.track('screen') !== null
    const { level } = this.line
    if (isSending) this.line = nextLevel(this.line, sample)
    if (level !== this.line.level) await this.#limit()
    this.#parts.changed()
  }

  #senders(): RTCRtpSender[] {
    return this.#connection?.getTransceivers().map(({ sender }) => sender) ?? []
  }

  // Signals are handled one after the other.

  #enqueue(work: () => Promise<void>) {
    this.#work = this.#work
      .then(() => (this.#isClosed ? undefined : work()))
      .catch(() => {
        // After a description that does not fit, only a new connection helps.
        this.#isUp = false
        this.#begunAt = -CONNECT_WITHIN_MS
      })
  }
  async #handle({ session, offer, answer, candidates, media, again }: PeerSignal): Promise<void> {
    if (media) this.heard(media)
    if (offer && session !== undefined) await this.#answer(session, offer)
    else if (again) {
      if (this.#offers && session === this.#session) await this.#offer(true)
      else if (this.#offers) this.begin()
    } else if (session !== this.#session || !this.#connection) return
    else if (
      answer &&
      answer.number === this.#offerNumber &&
      this.#connection.signalingState === 'have-local-offer'
    ) {
      await this.#connection.setRemoteDescription({ type: 'answer', sdp: answer.sdp })
      await this.#addEarly()
      await this.#limit()
    } else if (candidates) {
      this.#early.push(...candidates)
      await this.#addEarly()
    }
  }
  async #answer(session: string, offer: { sdp: string; number: number }): Promise<void> {
    const isNew = session !== this.#session || !this.#connection
    if (isNew) {
      this.#offers = false
      this.#renew(session)
    }
    const connection = this.#connection!
    await connection.setRemoteDescription({ type: 'offer', sdp: offer.sdp })
    if (isNew) {
      for (const transceiver of connection.getTransceivers()) {
        transceiver.direction = 'sendrecv'
        if (transceiver.receiver.track.kind === 'video') preferCodecs(transceiver)
      }
      this.#attach()
    }
    await connection.setLocalDescription()
    this.#parts.send({
      session,
      answer: { sdp: tuned(connection.localDescription!.sdp), number: offer.number },
      media: this.#parts.media(),
    })
    await this.#addEarly()
    await this.#limit()
  }
  async #offer(isRestart = false): Promise<void> {
    const connection = this.#connection
    if (!connection || (isRestart && connection.signalingState === 'have-local-offer'))
      return this.#repeatOffer()
    await connection.setLocalDescription(await connection.createOffer({ iceRestart: isRestart }))
    this.#offerNumber++
    return this.#repeatOffer()
  }
  #repeatOffer() {
    const sdp = this.#connection?.localDescription?.sdp
    if (sdp === undefined) return
    this.#offeredAt = performance.now()
    const offer = { sdp: tuned(sdp), number: this.#offerNumber }
    this.#parts.send({ session: this.#session, offer, media: this.#parts.media() })
  }
  /** Adds the candidates that arrived before their description. */
  async #addEarly(): Promise<void> {
    const connection = this.#connection
    if (!connection?.remoteDescription) return
    for (const candidate of this.#early.splice(0))
      // Candidates of an earlier description are refused.
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await connection.addIceCandidate(candidate).catch(() => undefined)
  }

  // The connection.

  #renew(session: string) {
    this.#drop()
    this.#session = session
    this.#begunAt = performance.now()
    const connection = new RTCPeerConnection(this.#configuration())
    this.#connection = connection
    const isMine = () => connection === this.#connection
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate && isMine()) this.#foundCandidate(candidate.toJSON())
    })
    connection.addEventListener('connectionstatechange', () => {
      if (!isMine()) return
      if (this.isConnected) this.#isUp = true
      this.#parts.changed()
    })
    // A direct channel, which works during an outage of the server.
    const channel = connection.createDataChannel('media', { negotiated: true, id: 0 })
    channel.addEventListener('open', () => this.announce())
    channel.addEventListener('message', ({ data }) => {
      if (isMine()) this.heard(JSON.parse(String(data)) as MediaState)
    })
    this.#channel = channel
  }
  #configuration = (): RTCConfiguration => ({
    iceServers: this.#parts.iceServers().map((server) => ({ ...server })),
    bundlePolicy: 'max-bundle',
  })
  /** Attaches this page's tracks and the received ones. */
  #attach() {
    const transceivers = this.#connection!.getTransceivers()
    for (const [at, source] of SOURCES.entries())
      void transceivers[at]?.sender.replaceTrack(this.#parts.track(source)).catch(() => undefined)
    const [audio, camera, screen] = transceivers.map(({ receiver }) => new MediaStream([receiver.track]))
    this.#streams = { camera: camera!, screen: screen! }
    for (const picture of ['camera', 'screen'] as const)
      this.#streams[picture].getTracks()[0]?.addEventListener('unmute', () => {
        this.#movedAt[picture] = performance.now()
        this.#parts.changed()
      })
    this.#sound.srcObject = audio!
    this.#play()
  }
  #play() {
    this.#sound.play().catch((error: unknown) => {
      if (this.#isClosed || !(error instanceof Error) || error.name !== 'NotAllowedError') return
      // Autoplay may need a user gesture first.
      document.addEventListener('pointerdown', () => this.#play(), { once: true })
    })
  }
  #foundCandidate(candidate: RTCIceCandidateInit) {
    this.#found.push(candidate)
    this.#foundTimer ??= window.setTimeout(() => {
      this.#foundTimer = undefined
      this.#parts.send({ session: this.#session, candidates: this.#found.splice(0) })
    }, CANDIDATES_AFTER_MS)
  }
  #drop() {
    clearTimeout(this.#foundTimer)
    this.#foundTimer = undefined
    this.#found = []
    this.#early = []
    this.#channel = null
    this.#streams = null
    this.#isUp = false
    this.#downSince = null
    this.#counters = NO_COUNTERS
    this.#session = ''
    const connection = this.#connection
    this.#connection = null
    connection?.close()
  }

  /**
   * Limits the encoding of each track: sound has priority, pictures depend on the number of people and the connection.
   */
  async #limit(): Promise<void> {
    const [audio, camera, screen] = this.#senders()
    const level = Math.max(bestLevel(this.#people), this.line.level)
    const size = SIZES[Math.min(level, SIZES.length - 1)]!
    const height = this.#parts.track('video')?.getSettings().height ?? size.height
    await Promise.all([
      parametrise(audio, {
        active: true,
        maxBitrate: AUDIO_BITRATE,
        priority: 'high',
        networkPriority: 'high',
      }),
      parametrise(camera, {
        active: level < NO_CAMERA,
        maxBitrate: size.bitrate,
        maxFramerate: size.framesPerSecond,
        scaleResolutionDownBy: Math.max(1, height / size.height),
        priority: 'low',
        networkPriority: 'low',
      }),
      parametrise(screen, {
        active: level < SOUND_ALONE,
        maxBitrate: level === 0 ? SCREEN_BITRATE : Math.max(size.bitrate, 300_000),
        maxFramerate: 10,
        priority: 'low',
        networkPriority: 'low',
      }),
    ])
  }
}

type Encoding = RTCRtpEncodingParameters & { maxFramerate?: number }
async function parametrise(sender: RTCRtpSender | undefined, wanted: Encoding): Promise<void> {
  if (!sender) return
  const parameters = sender.getParameters()
  // Browsers have no encodings before the negotiation.
  if (!parameters.encodings?.[0]) return
  Object.assign(parameters.encodings[0], wanted)
  await sender.setParameters(parameters).catch(() => undefined)
}
