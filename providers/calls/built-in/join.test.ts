import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { CallParticipant } from '#contract/calls/schema.ts'

import type { EngineState, RunningCall } from '../engine.ts'
import { join } from './join.ts'
import type { PeerSignal } from './peer.ts'

class FakeTrack extends EventTarget {
  readonly kind: string
  enabled = true
  readyState = 'live'
  constructor(kind: string) {
    super()
    this.kind = kind
  }
  getSettings = () => ({ height: 720 })
  stop() {
    this.readyState = 'ended'
  }
}
class FakeStream {
  readonly #tracks: FakeTrack[]
  constructor(tracks: FakeTrack[] = []) {
    this.#tracks = tracks
  }
  getTracks = () => this.#tracks
  getAudioTracks = () => []
}
class FakeTransceiver {
  readonly receiver: { track: FakeTrack }
  readonly sender = {
    track: null as FakeTrack | null,
    replaceTrack(track: FakeTrack | null) {
      this.track = track
      return Promise.resolve()
    },
    getParameters: () => ({}),
  }
  constructor(kind: string) {
    this.receiver = { track: new FakeTrack(kind) }
  }
}
/** The part of a connection that the engine uses; `connections` holds all of them. */
class FakeConnection extends EventTarget {
  connectionState = 'new'
  signalingState = 'stable'
  localDescription: { sdp: string } | null = null
  remoteDescription: object | null = null
  readonly offers: RTCOfferOptions[] = []
  configuration: RTCConfiguration
  readonly #transceivers: FakeTransceiver[] = []
  constructor(configuration: RTCConfiguration) {
    super()
    this.configuration = configuration
    connections.push(this)
  }
  addTransceiver(kind: string) {
    this.#transceivers.push(new FakeTransceiver(kind))
    return this.#transceivers.at(-1)!
  }
  getTransceivers = () => this.#transceivers
  getReceivers = () => []
  getStats = () => Promise.resolve(new Map())
  createDataChannel = () => new EventTarget()
  setConfiguration(configuration: RTCConfiguration) {
    this.configuration = configuration
  }
  createOffer(options: RTCOfferOptions) {
    this.offers.push(options)
    return Promise.resolve({ sdp: `offer ${this.offers.length}` })
  }
  setLocalDescription(description: { sdp: string }) {
    this.localDescription = description
    this.signalingState = 'have-local-offer'
    return Promise.resolve()
  }
  setRemoteDescription(description: object) {
    this.remoteDescription = description
    this.signalingState = 'stable'
    return Promise.resolve()
  }
  close() {
    this.become('closed')
  }
  become(state: string) {
    this.connectionState = state
    this.dispatchEvent(new Event('connectionstatechange'))
  }
  /** The tracks that this page sends: sound, camera, screen. */
  get sent(): (string | null)[] {
    return this.#transceivers.map(({ sender }) => sender.track?.kind ?? null)
  }
}
let connections: FakeConnection[] = []
const open = () => connections.filter(({ connectionState }) => connectionState !== 'closed')

const someone = (n: number): CallParticipant => ({
  participantId: `p${n}`,
  userId: `u${n}`,
  name: `Grace Hopper ${n}`,
  avatar: null,
  joinedAt: '2026-01-01T10:00:00.000Z',
})
/** This page and earlier participants. */
const withPeople = (count: number) => [
  ...Array.from({ length: count - 1 }, (_, n) => someone(n + 1)),
  someone(0),
]

let call: RunningCall
let state: EngineState
const signals: { to: string; signal: PeerSignal }[] = []
const announced: object[] = []
const settled = () => vi.advanceTimersByTimeAsync(0)

/** Joins a call with microphone and camera on. */
async function inCall(people: number) {
  call = await join({
    callId: 'c',
    participantId: 'p0',
    engine: { kind: 'built-in', iceServers: [{ urls: ['turn:first.example.com'] }] },
    title: 'Room 1',
    devices: { audioInput: null, audioOutput: null, videoInput: null },
    media: { audio: true, video: true },
    signal: (to, signal) => signals.push({ to, signal: signal as PeerSignal }),
    announce: (media) => announced.push(media),
    onState: (next) => (state = next),
    onLeft: () => undefined,
  })
  call.participants(withPeople(people))
  await settled()
}
/** Answers the last offer of this page for all peers and connects them. */
async function answered() {
  for (const { to, signal } of signals.splice(0))
    if (signal.offer)
      call.receive(to, { session: signal.session, answer: { sdp: 'answer', number: signal.offer.number } })
  await settled()
  for (const connection of open()) connection.become('connected')
  await settled()
}

beforeEach(() => {
  vi.useFakeTimers()
  connections = []
  signals.length = 0
  announced.length = 0
  vi.stubGlobal('RTCPeerConnection', FakeConnection)
  vi.stubGlobal('RTCRtpReceiver', { getCapabilities: () => null })
  vi.stubGlobal('MediaStream', FakeStream)
  vi.stubGlobal(
    'Audio',
    class {
      play = () => Promise.resolve()
    },
  )
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: ({ audio }: MediaStreamConstraints) =>
        Promise.resolve(new FakeStream([new FakeTrack(audio ? 'audio' : 'video')])),
    },
  })
})
afterEach(() => {
  call.close()
  vi.useRealTimers()
})

test('six people send sound and pictures, twelve sound alone, and pictures return with six', async () => {
  await inCall(6)
  await answered()
  expect(open().map(({ sent }) => sent)).toEqual(Array.from({ length: 5 }, () => ['audio', 'video', null]))
  expect(state).toMatchObject({ videoPaused: null, media: { audio: true, video: true } })

  call.participants(withPeople(12))
  await settled()
  await answered()
  expect(open().map(({ sent }) => sent)).toEqual(Array.from({ length: 11 }, () => ['audio', null, null]))
  expect(state.videoPaused).toBe('people')
  // The camera of this page stays on, but the others learn that it sends no picture.
  expect(state.media.video).toBe(true)
  expect(announced.at(-1)).toEqual({ audio: true, video: false, screen: false })

  call.participants(withPeople(7))
  await settled()
  expect(open().map(({ sent }) => sent)).toEqual(Array.from({ length: 6 }, () => ['audio', null, null]))
  expect(state.videoPaused).toBe('people')

  call.participants(withPeople(6))
  await settled()
  expect(open().map(({ sent }) => sent)).toEqual(Array.from({ length: 5 }, () => ['audio', 'video', null]))
  expect(state.videoPaused).toBeNull()
  expect(announced.at(-1)).toEqual({ audio: true, video: true, screen: false })
})

test('a change of the network restarts the search for a way on every line', async () => {
  await inCall(3)
  await answered()
  call.restart()
  await settled()
  expect(open().map(({ offers }) => offers.at(-1))).toEqual([{ iceRestart: true }, { iceRestart: true }])
  expect(signals.map(({ to, signal }) => [to, signal.offer?.number])).toEqual([
    ['p1', 2],
    ['p2', 2],
  ])
})

test('a line that fails looks for another way by itself, and the others stay', async () => {
  await inCall(3)
  await answered()
  const [failed, other] = open()
  failed!.become('failed')
  await vi.advanceTimersByTimeAsync(6_000)
  expect(failed!.offers.at(-1)).toEqual({ iceRestart: true })
  expect(other!.offers).toHaveLength(1)
  expect(open()).toEqual([failed, other])
})

test('fresh credentials serve present lines and new ones', async () => {
  await inCall(2)
  await answered()
  const fresh = [{ urls: ['turn:turn.example.com'], username: 'me', credential: 'fresh' }]
  call.renew({ kind: 'built-in', iceServers: fresh })
  call.participants(withPeople(3))
  await settled()
  expect(open().map(({ configuration }) => configuration.iceServers)).toEqual([fresh, fresh])
})

test('a raised hand is told to the others with what they hear, and comes from them', async () => {
  await inCall(2)
  await answered()
  call.setHand(1_000)
  call.heard('p1', { audio: false, video: false, screen: false, hand: 2_000 })
  await settled()
  expect(announced.at(-1)).toMatchObject({ hand: 1_000 })
  expect(state.tiles.map(({ media }) => media.hand)).toEqual([1_000, 2_000])
  call.setHand(null)
  await settled()
  expect(announced.at(-1)).not.toHaveProperty('hand')
})

test('what has not changed is reported as the former object, so that it is not drawn again', async () => {
  await inCall(3)
  await answered()
  const { tiles, media } = state
  call.heard('p1', { audio: false, video: false, screen: false })
  await settled()
  expect(state.tiles.map((tile, at) => tile === tiles[at])).toEqual([true, true, true])
  call.heard('p1', { audio: true, video: false, screen: false })
  await settled()
  expect(state.tiles.map((tile, at) => tile === tiles[at])).toEqual([true, false, true])
  expect(state.tiles[1]!.media.audio).toBe(true)
  expect(state.media).toBe(media)
})
