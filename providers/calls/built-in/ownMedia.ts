import type { Devices, EngineState } from '../engine.ts'
import { type LevelMeter, levelMeter } from '../levelMeter.ts'

export type Source = 'audio' | 'video' | 'screen'
export const SOURCES: readonly Source[] = ['audio', 'video', 'screen']
type Problem = EngineState['problem']
interface Parts {
  /** Called when a source has another track or is switched. */
  readonly changed: (source: Source) => void
  readonly failed: (problem: Problem) => void
}

const device = (id: string | null) => (id === null ? {} : { deviceId: { exact: id } })
const suppresses = ({ suppressesNoise = true }: Devices): boolean => suppressesNoise
const MISSING: Readonly<Record<'audio' | 'video', Problem>> = { audio: 'no-microphone', video: 'no-camera' }
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/**
 * Microphone, camera and shared screen of this page. A source that is off releases its device, except the microphone.
 */
export class OwnMedia {
  readonly tracks: Record<Source, MediaStreamTrack | null> = { audio: null, video: null, screen: null }
  readonly isOn: Record<Source, boolean> = { audio: false, video: false, screen: false }
  /** Picture of the person's own tile. */
  camera: MediaStream | null = null
  screen: MediaStream | null = null
  #devices: Devices
  readonly #parts: Parts
  #meter: LevelMeter | null = null
  /** Counts requests, so that the result of an outdated one is dropped. */
  readonly #requests: Record<Source, number> = { audio: 0, video: 0, screen: 0 }

  constructor(devices: Devices, parts: Parts) {
    this.#devices = devices
    this.#parts = parts
  }

  /** Loudness of the person's own microphone, from 0 to 1. */
  level = (): number => (this.isOn.audio ? (this.#meter?.level() ?? 0) : 0)

  async set(source: Source, isOn: boolean): Promise<void> {
    if (source === 'audio' && this.tracks.audio?.readyState === 'live') {
      this.#requests.audio++
      this.tracks.audio.enabled = isOn
      this.#become('audio', isOn)
    } else if (isOn) await this.#open(source, true)
    else this.#turnOff(source)
  }

  async useDevices(devices: Devices): Promise<void> {
    const before = this.#devices
    this.#devices = devices
    const isOther = devices.audioInput !== before.audioInput || suppresses(devices) !== suppresses(before)
    if (isOther && this.tracks.audio) await this.#open('audio', this.isOn.audio)
    if (devices.videoInput !== before.videoInput && this.tracks.video) await this.#open('video', true)
  }

  close(): void {
    for (const source of SOURCES) {
      this.#requests[source]++
      this.tracks[source]?.stop()
    }
    this.#meter?.close()
  }

  #turnOff(source: Source) {
    this.#requests[source]++
    this.#put(source, null)
    this.#become(source, false)
  }
  async #open(source: Source, isOn: boolean): Promise<void> {
    const request = ++this.#requests[source]
    try {
      const track = await this.#request(source)
      if (request !== this.#requests[source]) return track.stop()
      if (source === 'audio') track.enabled = isOn
      this.#put(source, track)
      this.#become(source, isOn)
    } catch (error) {
      if (request !== this.#requests[source]) return
      this.#become(source, false)
      this.#explain(source, error)
    }
  }
  #explain(source: Source, error: unknown) {
    const isRefused = nameOf(error) === 'NotAllowedError'
    if (source !== 'screen') this.#parts.failed(isRefused ? 'not-allowed' : MISSING[source])
    // Closing the browser's screen picker needs no message.
    else if (!isRefused && nameOf(error) !== 'AbortError') this.#parts.failed('no-screen')
  }
  async #request(source: Source): Promise<MediaStreamTrack> {
    const { mediaDevices } = navigator
    if (source === 'screen') {
      const shared = await mediaDevices.getDisplayMedia({
        video: { frameRate: { ideal: 10, max: 15 } },
        audio: false,
      })
      return first(shared, 'detail')
    }
    const { audioInput, videoInput } = this.#devices
    const id = source === 'audio' ? audioInput : videoInput
    try {
      return await this.#capture(source, id)
    } catch (error) {
      // The chosen device is unplugged, so any other is used.
      if (id === null || nameOf(error) === 'NotAllowedError') throw error
      return this.#capture(source, null)
    }
  }
  async #capture(source: 'audio' | 'video', id: string | null): Promise<MediaStreamTrack> {
    const isQuiet = suppresses(this.#devices)
    // Browsers ignore constraints that they do not know.
    const noise: MediaTrackConstraints & { voiceIsolation: boolean } = {
      noiseSuppression: isQuiet,
      voiceIsolation: isQuiet,
    }
    const stream = await navigator.mediaDevices.getUserMedia(
      source === 'audio'
        ? {
            audio: {
              ...device(id),
              echoCancellation: true,
              autoGainControl: true,
              ...noise,
            },
          }
        : {
            video: {
              ...device(id),
              width: { ideal: 1280 },
              height: { ideal: 720 },
              frameRate: { ideal: 24, max: 30 },
            },
          },
    )
    return first(stream, source === 'audio' ? 'speech' : 'motion')
  }

  #put(source: Source, track: MediaStreamTrack | null) {
    this.tracks[source]?.stop()
    this.tracks[source] = track
    track?.addEventListener('ended', () => {
      if (this.tracks[source] === track) this.#lost(source)
    })
    const stream = track && new MediaStream([track])
    if (source === 'video') this.camera = stream
    else if (source === 'screen') this.screen = stream
    else {
      this.#meter?.close()
      this.#meter = stream && levelMeter(stream)
    }
  }
  /** Handles an unplugged device, or sharing stopped in the browser's own bar. */
  #lost(source: Source) {
    this.#put(source, null)
    if (source === 'screen') return this.#become('screen', false)
    if (this.isOn[source]) void this.#open(source, true)
    return undefined
  }
  #become(source: Source, isOn: boolean) {
    this.isOn[source] = isOn
    this.#parts.changed(source)
  }
}

function first(stream: MediaStream, hint: string): MediaStreamTrack {
  const track = stream.getTracks()[0]!
  track.contentHint = hint
  return track
}
