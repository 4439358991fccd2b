import { act, waitFor } from '@testing-library/react'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Devices, EngineParts, EngineState } from '#providers/calls/engine.ts'
import { join } from '#providers/calls/jitsi/join.ts'
import { uuidOf } from '#tests/support/client-chat.ts'

const DOMAIN = 'meet.muster.test'

/** The part of Jitsi's API that the product uses. */
class FakeApi extends EventEmitter {
  static last: FakeApi | undefined
  readonly commands: string[] = []
  readonly devices: string[] = []
  readonly frame = document.createElement('iframe')
  isDisposed = false
  readonly domain: string
  readonly options: { roomName: string; jwt: string; configOverwrite: object }
  constructor(domain: string, options: FakeApi['options'] & { parentNode: HTMLElement }) {
    super()
    this.domain = domain
    this.options = options
    options.parentNode.append(this.frame)
    FakeApi.last = this
  }
  getIFrame = () => this.frame
  executeCommand = (name: string) => this.commands.push(name)
  setAudioInputDevice = (label: string) => Promise.resolve(this.devices.push(label))
  setAudioOutputDevice = (label: string) => Promise.resolve(this.devices.push(label))
  setVideoInputDevice = (label: string) => Promise.resolve(this.devices.push(label))
  dispose() {
    this.isDisposed = true
    this.removeAllListeners()
    this.frame.remove()
  }
}

const NO_DEVICES: Devices = { audioInput: null, audioOutput: null, videoInput: null }
const partsOf = (changes: Partial<EngineParts> = {}): EngineParts => ({
  callId: uuidOf(1),
  participantId: uuidOf(2),
  title: 'Flood',
  devices: NO_DEVICES,
  engine: { kind: 'jitsi', domain: DOMAIN, room: 'demo-room', token: 'signed' },
  media: { audio: true, video: false },
  signal: vi.fn(),
  announce: vi.fn(),
  onState: vi.fn(),
  onLeft: vi.fn(),
  ...changes,
})
/** Joins and draws a call. */
async function joined() {
  const states: EngineState[] = []
  const parts = partsOf({ onState: (state) => states.push(state) })
  const call = await join(parts)
  const element = document.body.appendChild(document.createElement('div'))
  const unmount = call.mount!(element)
  await waitFor(() => expect(FakeApi.last).toBeDefined())
  const api = FakeApi.last!
  const says = (event: string, data: object = {}) => act(() => void api.emit(event, data))
  return { call, parts, states, element, unmount, api, says }
}

beforeEach(() => {
  FakeApi.last = undefined
  vi.stubGlobal('JitsiMeetExternalAPI', FakeApi)
})
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

describe('a call by Jitsi', () => {
  test('goes to the room of the installation with its token, and as the person joins', async () => {
    const { api, element } = await joined()
    expect(api.domain).toBe(DOMAIN)
    expect(api.options).toMatchObject({
      roomName: 'demo-room',
      jwt: 'signed',
      configOverwrite: {
        subject: 'Flood',
        startWithAudioMuted: false,
        startWithVideoMuted: true,
        prejoinConfig: { enabled: false },
        // The room's chat stands beside the call.
        disableChat: true,
        toolbarButtons: expect.arrayContaining(['raisehand', 'tileview', 'noisesuppression']),
        channelLastN: 20,
      },
    })
    expect(element).toContainElement(api.frame)
    expect(api.frame.title).toBe('Flood')
  })

  test('reports its state, its sound and pictures, and devices that fail', async () => {
    const { states, parts, says } = await joined()
    says('videoConferenceJoined')
    expect(states.at(-1)?.status).toBe('connected')
    says('audioMuteStatusChanged', { muted: true })
    says('videoMuteStatusChanged', { muted: false })
    says('screenSharingStatusChanged', { on: true })
    expect(states.at(-1)?.media).toEqual({ audio: false, video: true, screen: true })
    expect(parts.announce).toHaveBeenLastCalledWith({ audio: false, video: true, screen: true })
    says('micError')
    expect(states.at(-1)?.problem).toBe('no-microphone')
    says('videoConferenceLeft')
    expect(states.at(-1)?.status).toBe('disconnected')
  })

  test('switches sound, pictures and screen only where they differ', async () => {
    const { call, api } = await joined()
    await call.setAudio(true)
    await call.setVideo(false)
    expect(api.commands).toEqual([])
    await call.setAudio(false)
    await call.setVideo(true)
    await call.setScreen(true)
    expect(api.commands).toEqual(['toggleAudio', 'toggleVideo', 'toggleShareScreen'])
  })

  test('uses devices by their labels', async () => {
    Object.defineProperty(navigator, 'mediaDevices', {
      configurable: true,
      value: {
        enumerateDevices: () =>
          Promise.resolve([
            { kind: 'audioinput', deviceId: 'a', label: 'Headset' },
            { kind: 'videoinput', deviceId: 'a', label: 'Camera' },
          ]),
      },
    })
    const { call, api } = await joined()
    await call.useDevices({ ...NO_DEVICES, audioInput: 'a', videoInput: 'a' })
    expect(api.devices).toEqual(['Headset', 'Camera'])
  })

  test('is loaded again with a fresh token where it has lost the room, once for each', async () => {
    const { call, api: first, says, unmount, element } = await joined()
    says('videoConferenceJoined')
    says('videoMuteStatusChanged', { muted: false })
    says('errorOccurred', { type: 'CONNECTION', isFatal: true })
    expect(FakeApi.last).toBe(first)
    const renewed = (token: string) => call.renew({ kind: 'jitsi', domain: DOMAIN, room: 'demo-room', token })
    renewed('fresh')
    says('errorOccurred', { type: 'CONFERENCE', isFatal: false })
    expect(FakeApi.last).toBe(first)
    says('errorOccurred', { type: 'CONNECTION', isFatal: true })
    await waitFor(() => expect(FakeApi.last).not.toBe(first))
    const second = FakeApi.last!
    expect(first.isDisposed).toBe(true)
    expect(second.options).toMatchObject({
      roomName: 'demo-room',
      jwt: 'fresh',
      configOverwrite: { startWithAudioMuted: false, startWithVideoMuted: false },
    })
    act(() => void second.emit('errorOccurred', { type: 'CONNECTION', isFatal: true }))
    expect(FakeApi.last).toBe(second)
    unmount()
    expect(second.isDisposed).toBe(true)
    await waitFor(() => expect(element).toBeEmptyDOMElement())
  })

  test('is left by its own button', async () => {
    const { parts, says } = await joined()
    says('readyToClose')
    expect(parts.onLeft).toHaveBeenCalledOnce()
  })

  test('leaves nothing behind when it is closed, and reports nothing afterwards', async () => {
    const { call, api, parts, states, element } = await joined()
    const reported = states.length
    call.close()
    expect(api.commands).toEqual(['hangup'])
    expect(api.isDisposed).toBe(true)
    await waitFor(() => expect(element).toBeEmptyDOMElement())
    api.emit('readyToClose')
    expect(parts.onLeft).not.toHaveBeenCalled()
    expect(states).toHaveLength(reported)
  })

  test('cannot begin where the domain does not serve its script, and can be tried again', async () => {
    vi.unstubAllGlobals()
    for (let attempt = 0; attempt < 2; attempt++) {
      const joining = join(partsOf())
      const script = document.head.querySelector<HTMLScriptElement>('script[src*="external_api"]')
      expect(script?.src).toBe(`https://${DOMAIN}/external_api.js`)
      script!.dispatchEvent(new Event('error'))
      await expect(joining).rejects.toThrow('could not be loaded')
      expect(document.head.querySelector('script[src*="external_api"]')).toBeNull()
    }
  })
})
