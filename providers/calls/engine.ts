import type { CallEngine, CallParticipant, MediaState } from '#contract/calls/schema.ts'

/** `disconnected` while the line is down and the engine tries again, and after leaving. */
export type CallStatus = 'starting' | 'connected' | 'disconnected'
/** How well another participant's sound and pictures arrive; null while nothing is known. */
export type Quality = 'good' | 'fair' | 'poor' | null

/** A participant as their tile shows them. */
export interface Tile {
  readonly participant: CallParticipant
  readonly isMe: boolean
  /** Camera and sound; null while none arrives. */
  readonly camera: MediaStream | null
  /** The shared screen; null for none. */
  readonly screen: MediaStream | null
  readonly media: MediaState
  readonly isSpeaking: boolean
  readonly quality: Quality
  /** Whether their line is up. */
  readonly isConnected: boolean
}

/** Which devices a page uses; null for the browser's own choice. */
export interface Devices {
  readonly audioInput: string | null
  readonly audioOutput: string | null
  readonly videoInput: string | null
}

/** What a running call reports. */
export interface EngineState {
  readonly status: CallStatus
  readonly tiles: readonly Tile[]
  /** What this page sends. */
  readonly media: MediaState
  /** Pictures are not sent: too many people, or a line that carries sound alone. Null where they are. */
  readonly videoPaused: 'people' | 'line' | null
  /** A device that could not be used, to be said once. */
  readonly problem: 'no-microphone' | 'no-camera' | 'not-allowed' | 'no-screen' | null
}

/** What an engine needs of the page around it. */
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
  /** The engine has ended the call by itself, such as Jitsi's own button. */
  readonly onLeft: () => void
}

/** A call that is carried somehow. Made by `join` of its module, which loads when somebody joins. */
export interface RunningCall {
  /** Everybody in the call by the server's truth, whenever it changes. */
  participants(list: readonly CallParticipant[]): void
  /** A signal from another participant. */
  receive(from: string, data: unknown): void
  /** What another participant announced. */
  heard(participantId: string, media: MediaState): void
  setAudio(isOn: boolean): Promise<void>
  setVideo(isOn: boolean): Promise<void>
  setScreen(isOn: boolean): Promise<void>
  useDevices(devices: Devices): Promise<void>
  /** Takes fresh credentials before its own expire (`ENGINE_LIFE`). */
  renew(engine: CallEngine): void
  /** The line may have changed: looks for a new way to everybody. */
  restart(): void
  /** Ends everything; the engine reports nothing afterwards. */
  close(): void
  /** Where an engine draws the call itself (Jitsi): mounts it into the element, and answers how to take it away. */
  readonly mount?: (element: HTMLElement) => () => void
}
export type JoinEngine = (parts: EngineParts) => Promise<RunningCall>
