import { replaceEqualDeep } from '@tanstack/react-query'

import { callCan } from '#contract/calls/rules.ts'
import type { CallEngine, CallParticipant, IceServer, MediaState } from '#contract/calls/schema.ts'

import type {
  CallStatus,
  Devices,
  EngineParts,
  EngineState,
  JoinEngine,
  RunningCall,
  Tile,
} from '../engine.ts'
import { NO_CAMERA } from './line.ts'
import { OwnMedia, type Source } from './ownMedia.ts'
import { Peer, type PeerSignal } from './peer.ts'

const SPEECH_EVERY_MS = 250
/** In multiples of `SPEECH_EVERY_MS`. */
const TICK = 4
const MEASURE = 8
/** Bridges pauses for breath. */
const SPEECH_HOLD_MS = 800
const OWN_SPEECH = 0.03
/** Time until a missing first connection counts as lost. */
const STARTING_MS = 15_000
/** Time for which a participant may be connected before the server's list contains them. */
const UNLISTED_MS = 10_000
const PICTURES: readonly Source[] = ['video', 'screen']

/**
 * A built-in call: a connection between each two participants (decision 046). The later one of two calls the
 * earlier one.
 */
class Mesh implements RunningCall {
  readonly #parts: EngineParts
  readonly #own: OwnMedia
  readonly #peers = new Map<string, Peer>()
  readonly #spokeAt = new Map<string, number>()
  readonly #begunAt = performance.now()
  readonly #timer: number
  #iceServers: readonly IceServer[]
  #list: readonly CallParticipant[] = []
  #me: CallParticipant | null = null
  #output: string | null
  #problem: EngineState['problem'] = null
  /** Last reported state. */
  #reported: EngineState | null = null
  #turn = 0
  #wasConnected = false
  #hand: number | null = null
  #willReport = false
  #isClosed = false

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#iceServers = iceServersOf(parts.engine)
    this.#output = parts.devices.audioOutput
    this.#own = new OwnMedia(parts.devices, {
      changed: (source) => this.#ownChanged(source),
      failed: (problem) => {
        this.#problem = problem
        this.#report()
      },
    })
    this.#timer = window.setInterval(() => this.#look(), SPEECH_EVERY_MS)
    // Others are heard before the browser allows this page's own devices.
    if (parts.media.audio) void this.#own.set('audio', true)
    if (parts.media.video) void this.#own.set('video', true)
    this.#report()
  }

  participants(list: readonly CallParticipant[]): void {
    const { participantId } = this.#parts
    const before = new Map(this.#list.map((one) => [one.participantId, one]))
    const at = list.findIndex((one) => one.participantId === participantId)
    const cameBack = this.#me !== null && at >= 0 && list[at]!.joinedAt !== this.#me.joinedAt
    const picturesBefore = this.#canShow()
    this.#list = list
    if (at >= 0) this.#me = list[at]!
    for (const id of before.keys()) if (!list.some((one) => one.participantId === id)) this.#remove(id)
    if (at >= 0)
      for (const [n, { participantId: id }] of list.entries()) if (n !== at) this.#meet(id, n < at, cameBack)
    for (const peer of this.#peers.values()) peer.setPeople(list.length)
    if (picturesBefore !== this.#canShow()) {
      this.#announce()
      for (const peer of this.#peers.values()) for (const source of PICTURES) void peer.replaced(source)
    }
    this.#report()
  }
  receive(from: string, data: unknown): void {
    const peer = this.#peers.get(from) ?? this.#add(from)
    peer.receive(data as PeerSignal)
  }
  heard(participantId: string, media: MediaState): void {
    this.#peers.get(participantId)?.heard(media)
  }

  setAudio = (isOn: boolean): Promise<void> => this.#set('audio', isOn)
  setVideo = (isOn: boolean): Promise<void> => this.#set('video', isOn)
  setScreen = (isOn: boolean): Promise<void> => this.#set('screen', isOn)
  setHand(raisedAt: number | null): void {
    this.#hand = raisedAt
    this.#announce()
    this.#report()
  }
  async useDevices(devices: Devices): Promise<void> {
    this.#output = devices.audioOutput
    for (const peer of this.#peers.values()) void peer.useOutput(this.#output)
    await this.#own.useDevices(devices)
  }
  renew(engine: CallEngine): void {
    this.#iceServers = iceServersOf(engine)
    for (const peer of this.#peers.values()) peer.useServers()
  }
  restart(): void {
    for (const peer of this.#peers.values()) peer.restart()
  }
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const peer of this.#peers.values()) peer.close()
    this.#peers.clear()
    this.#own.close()
  }

  /** Ensures a connection to a participant. The later one of two starts it. */
  #meet(id: string, isBeforeMe: boolean, isAnew: boolean) {
    const known = this.#peers.get(id)
    const peer = known ?? this.#add(id)
    if (isBeforeMe && (!known || !peer.offers || isAnew)) peer.begin()
    else if (!isBeforeMe && peer.offers) peer.await()
  }
  #add(id: string): Peer {
    const peer = new Peer({
      iceServers: () => this.#iceServers,
      send: (signal) => this.#parts.signal(id, signal),
      track: (source) => (source === 'audio' || this.#canShow() ? this.#own.tracks[source] : null),
      media: () => this.#sent(),
      changed: () => this.#report(),
    })
    peer.setPeople(this.#list.length)
    void peer.useOutput(this.#output)
    this.#peers.set(id, peer)
    return peer
  }
  #remove(id: string) {
    this.#peers.get(id)?.close()
    this.#peers.delete(id)
    this.#spokeAt.delete(id)
  }

  async #set(source: Source, isOn: boolean): Promise<void> {
    this.#problem = null
    await this.#own.set(source, isOn)
  }
  #ownChanged(source: Source) {
    if (this.#isClosed) return
    for (const peer of this.#peers.values()) void peer.replaced(source)
    this.#announce()
    this.#report()
  }
  #announce() {
    for (const peer of this.#peers.values()) peer.announce()
    this.#parts.announce(this.#sent())
  }
  #canShow = (): boolean => callCan.showVideo(this.#list.length)
  #raised = () => (this.#hand === null ? {} : { hand: this.#hand })
  /** The media that the others receive. */
  #sent(): MediaState {
    const { audio, video, screen } = this.#own.isOn
    const canShow = this.#canShow()
    return { audio, video: video && canShow, screen: screen && canShow, ...this.#raised() }
  }

  #look() {
    this.#turn++
    const now = performance.now()
    let isNews = this.#hears(this.#parts.participantId, this.#own.level() > OWN_SPEECH, now)
    for (const [id, peer] of this.#peers) isNews = this.#hears(id, peer.isSpeaking, now) || isNews
    if (this.#turn % TICK === 0)
      for (const [id, peer] of this.#peers) {
        const isListed = this.#list.some((one) => one.participantId === id)
        if (!isListed && now - peer.bornAt > UNLISTED_MS) this.#remove(id)
        else peer.tick()
      }
    if (this.#turn % MEASURE === 0) for (const peer of this.#peers.values()) void peer.measure()
    if (isNews || this.#turn % MEASURE === 0) this.#report()
  }
  /** Records speech. Returns true when that changes the state. */
  #hears(id: string, isLoud: boolean, now: number): boolean {
    const was = this.#speaks(id, now - SPEECH_EVERY_MS)
    if (isLoud) this.#spokeAt.set(id, now)
    return was !== this.#speaks(id, now)
  }
  #speaks = (id: string, now: number): boolean => now - (this.#spokeAt.get(id) ?? -Infinity) < SPEECH_HOLD_MS

  #report() {
    if (this.#willReport || this.#isClosed) return
    this.#willReport = true
    queueMicrotask(() => {
      this.#willReport = false
      if (this.#isClosed) return
      // Keeps the identity of unchanged parts, so that screens do not render them again.
      this.#reported = replaceEqualDeep(this.#reported, this.#state())
      this.#parts.onState(this.#reported)
    })
  }
  #state(): EngineState {
    const now = performance.now()
    const tiles = this.#list
      .filter(({ participantId }) => participantId !== this.#parts.participantId)
      .map((participant) => this.#tileOf(participant, now))
    return {
      status: this.#status(tiles),
      tiles: [...this.#ownTile(now), ...tiles],
      media: { ...this.#own.isOn, ...this.#raised() },
      videoPaused: this.#paused(),
      problem: this.#problem,
    }
  }
  #status(others: readonly Tile[]): CallStatus {
    if (others.length === 0 || others.some(({ isConnected }) => isConnected)) {
      this.#wasConnected = true
      return 'connected'
    }
    const isStarting = !this.#wasConnected && performance.now() - this.#begunAt < STARTING_MS
    const isNew = others.every(({ participant }) => !this.#peers.get(participant.participantId)?.wasConnected)
    return isStarting || (isNew && this.#wasConnected) ? 'starting' : 'disconnected'
  }
  #paused(): EngineState['videoPaused'] {
    const { video, screen } = this.#own.isOn
    if (!video && !screen) return null
    if (!this.#canShow()) return 'people'
    const peers = [...this.#peers.values()]
    const isPaused = peers.length > 0 && peers.every(({ line }) => line.level >= NO_CAMERA)
    return video && isPaused ? 'line' : null
  }
  #ownTile(now: number): Tile[] {
    if (!this.#me) return []
    return [
      {
        participant: this.#me,
        isMe: true,
        camera: this.#own.camera,
        screen: this.#own.screen,
        media: { ...this.#own.isOn, ...this.#raised() },
        isSpeaking: this.#own.isOn.audio && this.#speaks(this.#parts.participantId, now),
        quality: null,
        isConnected: true,
      },
    ]
  }
  #tileOf(participant: CallParticipant, now: number): Tile {
    const peer = this.#peers.get(participant.participantId)
    return {
      participant,
      isMe: false,
      camera: peer?.camera ?? null,
      screen: peer?.screen ?? null,
      media: peer?.media ?? { audio: false, video: false, screen: false },
      isSpeaking: this.#speaks(participant.participantId, now),
      quality: peer?.isConnected ? peer.quality : null,
      isConnected: peer?.isConnected ?? false,
    }
  }
}

const iceServersOf = (engine: CallEngine): readonly IceServer[] =>
  engine.kind === 'built-in' ? engine.iceServers : []

/** Joins a built-in call. */
export const join: JoinEngine = async (parts) => new Mesh(parts)
