import { JitsiMeeting } from '@jitsi/react-sdk'
import { type ComponentProps, createElement } from 'react'
import { createRoot } from 'react-dom/client'

import type { CallEngine, MediaState } from '#contract/calls/schema.ts'

import type { Devices, EngineParts, EngineState, JoinEngine, RunningCall } from '../engine.ts'
import { loadApi } from './loadApi.ts'

type Api = Parameters<NonNullable<ComponentProps<typeof JitsiMeeting>['onApiReady']>>[0]
type JitsiEngine = Extract<EngineParts['engine'], { kind: 'jitsi' }>
/** Jitsi's commands that switch the media of this page. */
const COMMANDS = { audio: 'toggleAudio', video: 'toggleVideo', screen: 'toggleShareScreen' } as const

/** People whose pictures are received at a time. */
const PICTURES_MAX = 20
/** Jitsi's buttons for what the product does not do itself. Space talks, as by its own shortcuts. */
const BUTTONS = [
  'camera',
  'desktop',
  'fullscreen',
  'microphone',
  'noisesuppression',
  'participants-pane',
  'raisehand',
  'reactions',
  'select-background',
  'settings',
  'shortcuts',
  'tileview',
  'toggle-camera',
  'videoquality',
]

/** The label of a device, because device ids differ between origins. */
async function labelOf(kind: MediaDeviceKind, deviceId: string | null): Promise<string | undefined> {
  if (deviceId === null) return undefined
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices.find((one) => one.kind === kind && one.deviceId === deviceId)?.label
}

/** A call in the installation's Jitsi, which draws it in a frame. */
class JitsiCall implements RunningCall {
  readonly #parts: EngineParts
  #engine: JitsiEngine
  #api: Api | null = null
  /** The element that holds the frame. */
  #element: HTMLElement | null = null
  /** The token that the frame was loaded with. */
  #token = ''
  #unmount = () => {}
  #isClosed = false
  #state: EngineState

  constructor(parts: EngineParts, engine: JitsiEngine) {
    this.#parts = parts
    this.#engine = engine
    this.#state = {
      status: 'starting',
      tiles: [],
      media: { ...parts.media, screen: false },
      videoPaused: null,
      problem: null,
    }
  }

  /** Draws the call. Unmounting leaves the room. */
  mount = (element: HTMLElement): (() => void) => {
    this.#load(element)
    return () => {
      if (this.#element === element) this.#unmount()
    }
  }
  #load(element: HTMLElement) {
    this.#unmount()
    const { domain, room, token } = this.#engine
    const { title } = this.#parts
    const { media } = this.#state
    this.#element = element
    this.#token = token
    // A new element for each root, because the previous root is unmounted with a delay.
    const place = document.createElement('div')
    place.style.height = '100%'
    element.append(place)
    const root = createRoot(place)
    root.render(
      createElement(JitsiMeeting, {
        domain,
        roomName: room,
        jwt: token,
        configOverwrite: {
          subject: title,
          // People have chosen their devices in the product already.
          prejoinConfig: { enabled: false },
          prejoinPageEnabled: false,
          disableDeepLinking: true,
          // The room's chat is the one beside the call.
          disableChat: true,
          toolbarButtons: BUTTONS,
          // Pictures of those who spoke last and of the tiles in view; the others are heard alone.
          channelLastN: PICTURES_MAX,
          tileView: { numberOfVisibleTiles: PICTURES_MAX },
          startWithAudioMuted: !media.audio,
          startWithVideoMuted: !media.video,
        },
        getIFrameRef: (frame) => (frame.style.height = '100%'),
        onApiReady: (api) => this.#follow(api),
        onReadyToClose: () => this.#left(),
      }),
    )
    this.#unmount = () => {
      this.#unmount = () => {}
      this.#element = null
      // The package leaves the frame and its listeners behind.
      this.#api?.dispose()
      this.#api = null
      // React forbids unmounting a root while it renders, here the removal of the window.
      queueMicrotask(() => {
        root.unmount()
        place.remove()
      })
    }
  }
  /** Loads a frame again that cannot reconnect by itself, once for each token. */
  #loadAgain() {
    if (this.#element && this.#token !== this.#engine.token) this.#load(this.#element)
  }

  // Jitsi knows its participants itself.
  participants(): void {}
  receive(): void {}
  heard(): void {}
  /** Keeps the fresh token for a reconnection: Jitsi reads tokens only when somebody joins. */
  renew(engine: CallEngine): void {
    if (engine.kind === 'jitsi') this.#engine = engine
  }
  /** Jitsi finds new network paths itself. */
  restart(): void {}

  setAudio = (isOn: boolean) => this.#set('audio', isOn)
  setVideo = (isOn: boolean) => this.#set('video', isOn)
  setScreen = (isOn: boolean) => this.#set('screen', isOn)
  setHand(): void {}
  async useDevices({ audioInput, audioOutput, videoInput }: Devices): Promise<void> {
    const [microphone, speaker, camera] = await Promise.all([
      labelOf('audioinput', audioInput),
      labelOf('audiooutput', audioOutput),
      labelOf('videoinput', videoInput),
    ])
    if (microphone) await this.#api?.setAudioInputDevice(microphone, '')
    if (speaker) await this.#api?.setAudioOutputDevice(speaker, '')
    if (camera) await this.#api?.setVideoInputDevice(camera, '')
  }

  close(): void {
    this.#isClosed = true
    this.#api?.executeCommand('hangup')
    this.#unmount()
  }

  /** Sends a command. Jitsi reports the outcome, because the person may refuse the browser's question. */
  #set(kind: keyof typeof COMMANDS, isOn: boolean): Promise<void> {
    if (this.#state.media[kind] !== isOn) this.#api?.executeCommand(COMMANDS[kind])
    return Promise.resolve()
  }

  #follow(api: Api) {
    this.#api = api
    api.getIFrame().title = this.#parts.title
    const muted =
      (kind: 'audio' | 'video') =>
      ({ muted: isMuted }: { muted: boolean }) =>
        this.#changeMedia({ [kind]: !isMuted })
    api.on('videoConferenceJoined', () => this.#change({ status: 'connected' }))
    api.on('videoConferenceLeft', () => this.#change({ status: 'disconnected' }))
    api.on('audioMuteStatusChanged', muted('audio'))
    api.on('videoMuteStatusChanged', muted('video'))
    api.on('screenSharingStatusChanged', ({ on }: { on: boolean }) => this.#changeMedia({ screen: on }))
    api.on('errorOccurred', ({ isFatal }: { isFatal?: boolean }) => isFatal && this.#loadAgain())
    api.on('micError', () => this.#change({ problem: 'no-microphone' }))
    api.on('cameraError', () => this.#change({ problem: 'no-camera' }))
  }
  #changeMedia(changes: Partial<MediaState>) {
    const media = { ...this.#state.media, ...changes }
    this.#change({ media })
    this.#parts.announce(media)
  }
  #change(changes: Partial<EngineState>) {
    if (this.#isClosed) return
    this.#state = { ...this.#state, ...changes }
    this.#parts.onState(this.#state)
  }
  #left() {
    if (!this.#isClosed) this.#parts.onLeft()
  }
}

/**
 * Joins a call at the installation's Jitsi.
 * @throws Error if its API cannot be loaded
 */
export const join: JoinEngine = async (parts) => {
  if (parts.engine.kind !== 'jitsi') throw new Error('This call is not carried by Jitsi.')
  await loadApi(parts.engine.domain)
  return new JitsiCall(parts, parts.engine)
}
