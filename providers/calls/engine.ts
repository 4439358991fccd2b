import type { CallEngine, CallParticipant, MediaState } from '#contract/calls/schema.ts'

/** `disconnected` while the connection is down and the engine reconnects, and after leaving. */
export type CallStatus = 'starting' | 'connected' | 'disconnected'
/** Quality of another participant's sound and picture; null while unknown. */
export type Quality = 'good' | 'fair' | 'poor' | null

/** A participant's tile. */
export interface Tile {
  readonly participant: CallParticipant
  readonly isMe: boolean
  /** Camera and sound; null while neither is received. */
  readonly camera: MediaStream | null
  /** The shared screen; null for none. */
  readonly screen: MediaStream | null
  readonly media: MediaState
  readonly isSpeaking: boolean
  readonly quality: Quality
  readonly isConnected: boolean
}

/** The devices of a page; null for the browser's default. */
export interface Devices {
  readonly audioInput: string | null
  readonly audioOutput: string | null
  readonly videoInput: string | null
  /** False where the person wants to be heard with everything around; by default noise is suppressed. */
  readonly suppressesNoise?: boolean
}

/** State of a running call. */
export interface EngineState {
  readonly status: CallStatus
  readonly tiles: readonly Tile[]
  /** The media that this page sends. */
  readonly media: MediaState
  /** Why video is not sent: too many people, or too little bandwidth. Null while it is sent. */
  readonly videoPaused: 'people' | 'line' | null
  /** A problem with a device, to be shown once. */
  readonly problem: 'no-microphone' | 'no-camera' | 'not-allowed' | 'no-screen' | null
}

/** The engine's interface to the page. */
export interface EngineParts {
  readonly callId: string
  readonly participantId: string
  readonly engine: CallEngine
  readonly title: string
  readonly devices: Devices
  readonly media: Pick<MediaState, 'audio' | 'video'>
  /** Sends to another participant over the live socket. */
  readonly signal: (to: string, data: unknown) => void
  /** Tells all others what this page sends. */
  readonly announce: (media: MediaState) => void
  readonly onState: (state: EngineState) => void
  /** Called when the engine itself ends the call, such as by Jitsi's own button. */
  readonly onLeft: () => void
}

/** A running call. `join` of the engine's module creates it; the module loads on demand. */
export interface RunningCall {
  /** Receives the server's list of participants, after each change. */
  participants(list: readonly CallParticipant[]): void
  receive(from: string, data: unknown): void
  /** Receives another participant's media state. */
  heard(participantId: string, media: MediaState): void
  setAudio(isOn: boolean): Promise<void>
  setVideo(isOn: boolean): Promise<void>
  setScreen(isOn: boolean): Promise<void>
  /** Raises or lowers this page's hand. Jitsi has hands of its own. */
  setHand(raisedAt: number | null): void
  useDevices(devices: Devices): Promise<void>
  /** Replaces credentials before they expire (`ENGINE_LIFE`). */
  renew(engine: CallEngine): void
  /** Looks for new network paths after a change of network. */
  restart(): void
  /** Ends the call; the engine reports nothing afterwards. */
  close(): void
  /**
   * Present for an engine that draws the call itself (Jitsi): mounts it into the element. Returns a function
   * that unmounts it.
   */
  readonly mount?: (element: HTMLElement) => () => void
}
export type JoinEngine = (parts: EngineParts) => Promise<RunningCall>
