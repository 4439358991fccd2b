import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { ENGINE_LIFE } from '#contract/calls/schema.ts'
import type { Room } from '#contract/chat/schema.ts'
import type { EngineParts, EngineState, RunningCall, Tile } from '#providers/calls/engine.ts'
import { live } from '#providers/live.ts'
import { OtherTabs } from '#providers/calls/otherTabs.ts'
import {
  aParticipant,
  CALL,
  callMessage,
  canCall,
  follows,
  openRoom,
  serveCalls,
  socketSays,
  someCall,
  tellRoom,
  tick,
} from '#tests/support/client-calls.tsx'
import { aRoom } from '#tests/support/client-chat.ts'
import { answer, FakeSocket, laidOut, setOnline, signedIn, windowIs } from '#tests/support/client.tsx'

/** The engine of the page's call: calls it received, and a way to report its state. */
const engine = vi.hoisted(() => ({
  parts: null as EngineParts | null,
  told: [] as unknown[],
  fails: false,
}))
vi.mock('#providers/calls/engines.ts', () => {
  const join = (parts: EngineParts): Promise<RunningCall> => {
    if (engine.fails) return Promise.reject(new Error('no'))
    engine.parts = parts
    const tell =
      (name: string) =>
      (...words: unknown[]) => {
        engine.told.push([name, ...words])
        return Promise.resolve()
      }
    return Promise.resolve({
      participants: (list) => engine.told.push(['participants', list.length]),
      receive: tell('receive'),
      heard: tell('heard'),
      setAudio: tell('setAudio'),
      setVideo: tell('setVideo'),
      setScreen: tell('setScreen'),
      setHand: tell('setHand'),
      useDevices: tell('useDevices'),
      renew: tell('renew'),
      restart: tell('restart'),
      close: tell('close'),
    })
  }
  return { ENGINES: { 'built-in': () => Promise.resolve(join), jitsi: () => Promise.resolve(join) } }
})

const aTile = (n: number, changes: Partial<Tile> = {}): Tile => ({
  participant: aParticipant(n),
  isMe: false,
  camera: null,
  screen: null,
  media: { audio: true, video: false, screen: false },
  isSpeaking: false,
  quality: 'good',
  isConnected: true,
  ...changes,
})
const reports = (changes: Partial<EngineState> = {}) =>
  act(() =>
    engine.parts!.onState({
      status: 'connected',
      tiles: [aTile(0, { isMe: true })],
      media: { audio: true, video: false, screen: false },
      videoPaused: null,
      problem: null,
      ...changes,
    }),
  )

const callWindow = () => screen.findByRole('region', { name: 'Call in Room 1' })
const inWindow = async () => within(await callWindow())
const sent = () => FakeSocket.last!.sent.map((text) => JSON.parse(text) as Record<string, unknown>)

/** Joins the call of a room as its owner. */
async function inCall(changes: Partial<Room> = {}) {
  const known = aRoom(1)
  const room = aRoom(1, {
    sequence: 1,
    callDetails: someCall(1),
    membership: { ...known.membership, role: 'owner' },
    ...changes,
  })
  const script = serveCalls([room], [callMessage(room.id, 1)])
  const page = await openRoom(room.id)
  await follows(script)
  const messages = within(await screen.findByRole('region', { name: 'Messages' }))
  await page.user.click(await messages.findByRole('button', { name: 'Join Call' }))
  await waitFor(() => expect(engine.parts).not.toBeNull())
  await callWindow()
  return { ...page, script, room }
}

beforeEach(() => {
  laidOut()
  canCall()
  vi.stubGlobal('innerWidth', 1_440)
  Object.assign(engine, { parts: null, told: [], fails: false })
  Object.assign(navigator.mediaDevices, { getDisplayMedia: () => undefined })
  signedIn('USER')
  answer('get', '/config', { dialInEnabled: false })
})

describe('the window', () => {
  test('opens with the microphone on, the camera off and the focus in it', async () => {
    await inCall()
    const window = await callWindow()
    expect(within(window).getByText('Starting…', { selector: 'p' })).toBeVisible()
    expect(engine.parts).toMatchObject({ title: 'Room 1', media: { audio: true, video: false } })
    expect(window).toHaveFocus()
    reports()
    expect(within(window).getByRole('timer')).toHaveTextContent(/5:\d\d$/)
    expect(within(window).getByText('Nobody else is here yet.')).toBeVisible()
  })

  test('shows everybody with what is known of their sound and line', async () => {
    await inCall()
    reports({
      tiles: [
        aTile(0, { isMe: true }),
        aTile(1, { isSpeaking: true }),
        aTile(2, { media: { audio: false, video: false, screen: false } }),
        aTile(3, { quality: 'poor' }),
        aTile(4, { isConnected: false }),
      ],
    })
    const tiles = (await inWindow()).getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(tiles[0]).toContain('You')
    expect(tiles[1]).toContain('Grace Hopper 1Speaking')
    expect(tiles[2]).toContain('Grace Hopper 2Muted')
    expect(tiles[3]).toContain('Grace Hopper 3Bad connection')
    expect(tiles[4]).toContain('Grace Hopper 4Connecting…')
  })

  test('turns sound, camera and screen on and off, by buttons and by keys', async () => {
    const { user } = await inCall()
    reports()
    const window = await inWindow()
    await user.click(window.getByRole('button', { name: 'Mute' }))
    await user.keyboard('v')
    await user.click(window.getByRole('button', { name: 'Share your screen' }))
    expect(engine.told.filter(([name]: any) => name.startsWith('set'))).toEqual([
      ['setAudio', false],
      ['setVideo', true],
      ['setScreen', true],
    ])
    reports({ media: { audio: false, video: true, screen: true } })
    expect(window.getByRole('button', { name: 'Unmute' })).toBeVisible()
    expect(window.getByRole('button', { name: 'Turn camera off' })).toBeVisible()
    expect(window.getByRole('button', { name: 'Stop sharing' })).toBeVisible()
    await user.keyboard('m')
    expect(engine.told.at(-1)).toEqual(['setAudio', true])
  })

  test('raises hands, which stand in their order and are lowered by their owner and by managers', async () => {
    const { user } = await inCall({
      callDetails: someCall(1, { participants: [aParticipant(1), aParticipant(2)] }),
    })
    const media = { audio: true, video: false, screen: false }
    reports({
      tiles: [
        aTile(0, { isMe: true }),
        aTile(1, { media: { ...media, hand: 2_000 } }),
        aTile(2, { media: { ...media, hand: 1_000 } }),
      ],
    })
    const window = await inWindow()
    expect(window.getAllByText(/^Hand raised/).map(({ textContent }) => textContent)).toEqual([
      'Hand raised: number 2',
      'Hand raised: number 1',
    ])
    expect(await window.findByText(/raised a hand\./)).toBeInTheDocument()
    await user.click(window.getByRole('button', { name: 'Raise your hand' }))
    expect(engine.told.at(-1)).toEqual(['setHand', expect.any(Number)])
    reports({ tiles: [aTile(0, { isMe: true })], media: { ...media, hand: 3_000 } })
    await user.keyboard('h')
    expect(engine.told.at(-1)).toEqual(['setHand', null])
    reports({ tiles: [aTile(0, { isMe: true }), aTile(2, { media: { ...media, hand: 1_000 } })] })
    await user.click(window.getByRole('button', { name: 'People' }))
    await user.click(window.getByRole('button', { name: /^Lower the hand of/ }))
    const { participantId } = aParticipant(2)
    expect(sent()).toContainEqual(expect.objectContaining({ to: participantId, data: { lowerHand: true } }))
  })

  test('lowers its hand when a manager asks it to', async () => {
    await inCall()
    const { callId, participantId: to } = engine.parts!
    const from = aParticipant(1).participantId
    socketSays({ type: 'call-signal', callId, from, to, data: { lowerHand: true } })
    expect(engine.told.at(-1)).toEqual(['setHand', null])
  })

  test('talks while Space is held, and never while somebody types', async () => {
    const { user } = await inCall()
    reports({ media: { audio: false, video: false, screen: false } })
    const audio = () => engine.told.filter(([name]: any) => name === 'setAudio')
    await user.keyboard('{ >3/}')
    expect(audio()).toEqual([
      ['setAudio', true],
      ['setAudio', false],
    ])
    await user.keyboard('[Space>]')
    act(() => void window.dispatchEvent(new Event('blur')))
    expect(audio()).toHaveLength(4)
    await user.keyboard('[/Space]')
    const field = document.createElement('textarea')
    document.body.append(field)
    onTestFinished(() => field.remove())
    field.focus()
    await user.keyboard('one two')
    expect(field).toHaveValue('one two')
    await user.click((await inWindow()).getByRole('button', { name: 'People' }))
    await user.keyboard(' ')
    expect(audio()).toHaveLength(4)
  })

  test('shows who speaks large, which is remembered, or everybody in pages', async () => {
    const { user } = await inCall()
    const tiles = Array.from({ length: 12 }, (_, n) => aTile(n, { isMe: n === 0 }))
    const window = await inWindow()
    const names = () => window.getAllByRole('listitem').map(({ textContent }) => textContent)
    reports({ tiles })
    expect(names()).toHaveLength(8)
    await user.click(window.getByRole('button', { name: 'Next people' }))
    expect(names()).toEqual([8, 9, 10, 11].map((n) => expect.stringContaining(`Grace Hopper ${n}`)))
    await user.click(window.getByRole('button', { name: 'Previous people' }))
    // Somebody of another page who speaks is seen.
    reports({ tiles: tiles.map((tile, n) => (n === 10 ? { ...tile, isSpeaking: true } : tile)) })
    await waitFor(() => expect(names()[7]).toContain('Grace Hopper 10'))
    await user.click(window.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Show who speaks large' }))
    expect(names()[0]).toContain('Grace Hopper 10')
    reports({ tiles })
    expect(names()[0]).toContain('Grace Hopper 10')
    await user.click(window.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Show everybody equally' }))
    await waitFor(() => expect(names()[0]).not.toContain('Grace Hopper 10'))
  })

  test('is minimised, comes back, and covers the page when it is enlarged', async () => {
    const { user } = await inCall()
    reports()
    const window = await inWindow()
    await user.click(window.getByRole('button', { name: 'Minimise' }))
    expect(window.getByRole('button', { name: 'Mute' })).toBeVisible()
    expect(window.queryByRole('button', { name: 'People' })).toBeNull()
    await user.click(window.getByRole('button', { name: 'Show the call' }))
    await user.click(window.getByRole('button', { name: 'Enlarge' }))
    const dialog = await screen.findByRole('dialog', { name: 'Call in Room 1' })
    expect(dialog).toHaveAttribute('aria-modal', 'true')
    dialog.focus()
    await user.keyboard('{Escape}')
    expect(await callWindow()).toBeVisible()
  })

  test('covers a phone from the start', async () => {
    windowIs('wide')
    const wide = matchMedia
    vi.stubGlobal('matchMedia', (media: string) =>
      Object.assign(wide(media), { matches: media.includes('max-width') }),
    )
    const room = aRoom(1, { sequence: 1, callDetails: someCall(1) })
    const script = serveCalls([room], [callMessage(room.id, 1)])
    const { user } = await openRoom(room.id)
    await follows(script)
    const messages = within(await screen.findByRole('region', { name: 'Messages' }))
    await user.click(await messages.findByRole('button', { name: 'Join Call' }))
    const dialog = await screen.findByRole('dialog', { name: 'Call in Room 1' })
    await user.click(within(dialog).getByRole('button', { name: 'Minimise' }))
    expect(await callWindow()).toBeVisible()
  })

  test('says why pictures and devices are missing', async () => {
    await inCall()
    const window = await inWindow()
    reports({ problem: 'no-microphone', videoPaused: 'people' })
    expect(window.getByText(/^No microphone could be used\./)).toBeVisible()
    expect(window.getByText(/with more than 6 people a call carries sound alone\.$/)).toBeVisible()
    reports({ problem: 'not-allowed', videoPaused: 'line' })
    expect(window.getByText(/^Your browser does not allow this device\./)).toBeVisible()
    expect(window.getByText(/^Your camera is paused, so that your sound stays clear/)).toBeVisible()
    reports({ status: 'disconnected' })
    expect(window.getByText('Disconnected. Trying to connect again…')).toBeVisible()
  })

  test('offers the test of the devices once', async () => {
    const { user } = await inCall()
    reports()
    const window = await inWindow()
    await user.click(await window.findByRole('button', { name: 'Not now' }))
    expect(window.queryByText('Are your microphone and camera ready?')).toBeNull()
    await user.click(window.getByRole('button', { name: 'Leave Call' }))
    const messages = within(await screen.findByRole('region', { name: 'Messages' }))
    engine.parts = null
    await user.click(await messages.findByRole('button', { name: 'Join Call' }))
    await waitFor(() => expect(engine.parts).not.toBeNull())
    reports()
    expect((await inWindow()).queryByText('Are your microphone and camera ready?')).toBeNull()
  })

  test('lets devices be chosen, for later calls too', async () => {
    const microphone = { kind: 'audioinput', deviceId: 'usb', label: 'USB microphone' }
    Object.assign(navigator.mediaDevices, {
      enumerateDevices: () => Promise.resolve([microphone]),
      getUserMedia: () => Promise.reject(new DOMException('none', 'NotFoundError')),
    })
    const { user } = await inCall()
    reports()
    await user.click((await inWindow()).getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Devices' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Microphone, camera and speaker' }))
    expect(await dialog.findByText(/^No microphone could be used\./)).toBeVisible()
    await user.click(dialog.getByRole('combobox', { name: 'Microphone' }))
    await user.click(await screen.findByRole('option', { name: 'USB microphone' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Camera on' }))
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    const devices = { audioInput: 'usb', audioOutput: null, videoInput: null }
    await waitFor(() => expect(engine.told).toContainEqual(['useDevices', devices]))
    await user.click((await inWindow()).getByRole('button', { name: 'Leave Call' }))
    const messages = within(await screen.findByRole('region', { name: 'Messages' }))
    engine.parts = null
    await user.click(await messages.findByRole('button', { name: 'Join Call' }))
    await waitFor(() => expect(engine.parts).toMatchObject({ devices, media: { audio: true, video: true } }))
  })

  test('tells how to join by telephone', async () => {
    answer('get', '/config', { dialInEnabled: true })
    answer('get', `/calls/${CALL}/dial-in`, {
      pin: '123456789',
      numbers: [
        { countryCode: 'US', tollFree: true, formattedNumber: '+1 855 555 0100' },
        { countryCode: 'CA', tollFree: true, formattedNumber: '+1 833 555 0100' },
      ],
    })
    const { user, room } = await inCall()
    reports()
    tellRoom(room)
    const window = await inWindow()
    expect(window.getByRole('heading', { name: /Room 1/ })).toBeVisible()
    expect(window.getByRole('button', { name: 'Turn camera on' })).toBeVisible()
    await user.click(window.getByRole('button', { name: 'People' }))
    expect(window.getByText(/^Grace Hopper 1/)).toBeVisible()
    await user.click(await window.findByRole('button', { name: 'Dial-In Details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Dial-In Details' }))
    expect(await dialog.findByText('123456789#')).toBeVisible()
    expect(dialog.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      '+1 833 555 0100',
      '+1 855 555 0100',
    ])
  })

  test('stays, without a word, while nothing can be learned of the call and its room', async () => {
    const { room, user } = await inCall()
    reports({ tiles: [aTile(0, { isMe: true }), aTile(1)] })
    for (const path of [`/calls/${CALL}`, `/chat/rooms/${room.id}`, '/chat/rooms'])
      answer('get', path, {}, 500)
    const before = FakeSocket.last!
    act(() => void before.dispatchEvent(new CloseEvent('close', { code: 1006 })))
    await waitFor(() => expect(FakeSocket.last).not.toBe(before))
    await waitFor(() => expect(sent()).toHaveLength(1))
    socketSays({ type: 'ready', sequence: 900 })
    await waitFor(() => expect(sent().map(({ type }) => type)).toContain('call-here'))
    const window = await inWindow()
    expect(window.getAllByRole('listitem')).toHaveLength(2)
    for (const alert of screen.queryAllByRole('alert')) expect(alert).toBeEmptyDOMElement()
    await user.click(window.getByRole('button', { name: 'Mute' }))
    expect(engine.told).toContainEqual(['setAudio', false])
    expect(within(screen.getByRole('region', { name: 'Messages' })).getByText('Call started')).toBeVisible()
  })

  test('lets managers end the call for everybody, after asking', async () => {
    const { user, script, room } = await inCall()
    reports()
    tellRoom(room)
    const window = await inWindow()
    await user.click(window.getByRole('button', { name: 'People' }))
    expect(window.getByText('1 person in this call')).toBeVisible()
    await user.click(window.getByRole('button', { name: 'End call for everybody' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'End this call?' }))
    await user.click(dialog.getByRole('button', { name: 'End Call' }))
    expect(await screen.findByText('The call “Room 1” has ended.')).toBeVisible()
    expect(script.acts).toContain('end')
    expect(engine.told).toContainEqual(['close'])
  })

  test('says that it is disconnected after leaving, and offers the way back', async () => {
    const { user, script } = await inCall()
    reports()
    await user.click((await inWindow()).getByRole('button', { name: 'Leave Call' }))
    expect(await screen.findByText('You left the call “Room 1”.')).toBeVisible()
    expect(screen.getByText('Disconnected')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Call in Room 1' })).toBeNull()
    await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'leave']))
    await user.click(screen.getByRole('button', { name: 'Join again' }))
    await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'leave', 'join Room 1']))
  })

  test('says that a call could not begin, and leaves it', async () => {
    engine.fails = true
    const room = aRoom(1, { sequence: 1, callDetails: someCall(1) })
    const script = serveCalls([room], [callMessage(room.id, 1)])
    const { user } = await openRoom(room.id)
    await follows(script)
    const messages = within(await screen.findByRole('region', { name: 'Messages' }))
    await user.click(await messages.findByRole('button', { name: 'Join Call' }))
    expect(await screen.findByText('The call “Room 1” could not begin in this browser.')).toBeVisible()
    await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'leave']))
  })
})

describe('the call', () => {
  test('gives a sign of life at once, and passes signals between its participants', async () => {
    await inCall()
    const { participantId } = engine.parts!
    await waitFor(() => expect(sent()).toContainEqual({ type: 'call-here', callId: CALL, participantId }))
    const to = aParticipant(1).participantId
    act(() => engine.parts!.signal(to, { offer: 1 }))
    expect(sent().at(-1)).toEqual({
      type: 'call-signal',
      callId: CALL,
      from: participantId,
      to,
      data: { offer: 1 },
    })
    const media = { audio: false, video: true, screen: false }
    socketSays({ type: 'call-signal', callId: CALL, from: to, to: participantId, data: { answer: 1 } })
    socketSays({ type: 'call-media', callId: CALL, participantId: to, media })
    expect(engine.told).toContainEqual(['receive', to, { answer: 1 }])
    expect(engine.told).toContainEqual(['heard', to, media])
  })

  test('stays while the server is away, and says first who it is when it is back', async () => {
    await inCall()
    reports({ tiles: [aTile(0, { isMe: true }), aTile(1)] })
    const before = FakeSocket.last!
    act(() => void before.dispatchEvent(new CloseEvent('close', { code: 1006 })))
    expect(await (await inWindow()).findByText(/^The server cannot be reached at the moment\./)).toBeVisible()
    const to = aParticipant(1).participantId
    act(() => engine.parts!.signal(to, { offer: 2 }))
    await waitFor(() => expect(FakeSocket.last).not.toBe(before))
    await waitFor(() => expect(sent()).toHaveLength(1))
    socketSays({ type: 'ready', sequence: 2 })
    expect(
      sent()
        .map(({ type, data }) => data ?? type)
        .filter((said) => said !== 'call-rings')
        .slice(1, 3),
    ).toEqual(['call-here', { offer: 2 }])
    expect((await inWindow()).queryByText(/^The server cannot be reached/)).toBeNull()
  })

  test('joins again by itself where the server has taken it for gone', async () => {
    const { script } = await inCall()
    const { participantId } = engine.parts!
    socketSays({ type: 'call-here', callId: CALL, participantId, isIn: false })
    await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'join Room 1']))
    expect(await callWindow()).toBeVisible()
    script.refusal = 'This call has ended.'
    socketSays({ type: 'call-here', callId: CALL, participantId, isIn: false })
    expect(await screen.findByText('The call “Room 1” has ended.')).toBeVisible()
  })

  test('looks for a new way when the network of the device changes', async () => {
    const connection = new EventTarget()
    Object.defineProperty(navigator, 'connection', { configurable: true, value: connection })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
    const { user } = await inCall()
    reports()
    const restarts = () => engine.told.filter(([name]: any) => name === 'restart')
    expect(restarts()).toHaveLength(0)
    connection.dispatchEvent(new Event('change'))
    expect(restarts()).toHaveLength(1)
    await user.click((await inWindow()).getByRole('button', { name: 'Leave Call' }))
    connection.dispatchEvent(new Event('change'))
    expect(restarts()).toHaveLength(1)
  })

  test('takes its connection for dead where signs stay unanswered, but not where the page was too busy', async () => {
    await inCall()
    const reconnect = vi.spyOn(live, 'reconnect').mockImplementation(() => undefined)
    const begin = performance.now()
    const now = vi.spyOn(performance, 'now')
    const tickAt = (second: number) => {
      now.mockReturnValue(begin + second * 1_000)
      tick()
    }
    try {
      // Ten seconds of ticks come at once, before the frames that the socket received meanwhile.
      for (const second of [2, 4, 14, 14, 14, 16, 18]) tickAt(second)
      expect(reconnect).not.toHaveBeenCalled()
      tickAt(20)
      expect(reconnect).toHaveBeenCalledOnce()
    } finally {
      now.mockRestore()
      reconnect.mockRestore()
    }
  })

  test('has fresh credentials whenever it joins again, and long before they expire', async () => {
    const { script } = await inCall()
    const { participantId } = engine.parts!
    const fresh = (credential: string) => {
      script.iceServers = [{ urls: ['turn:turn.example.com'], username: 'me', credential }]
      return ['renew', { kind: 'built-in', iceServers: script.iceServers }]
    }
    const second = fresh('second')
    socketSays({ type: 'call-here', callId: CALL, participantId, isIn: false })
    await waitFor(() => expect(engine.told).toContainEqual(second))
    const now = Date.now()
    const third = fresh('third')
    const wallClock = vi.spyOn(Date, 'now')
    try {
      wallClock.mockReturnValue(now + ENGINE_LIFE / 2 - 60_000)
      tick()
      expect(script.acts).toHaveLength(2)
      wallClock.mockReturnValue(now + ENGINE_LIFE / 2 + 60_000)
      tick()
      await waitFor(() => expect(engine.told).toContainEqual(third))
      tick()
    } finally {
      wallClock.mockRestore()
    }
    expect(script.acts).toEqual(['join Room 1', 'join Room 1', 'join Room 1'])
    expect(engine.told).not.toContainEqual(['close'])
  })

  test('is resumed by itself where the server has lost all of its pages at once', async () => {
    const { room, script } = await inCall()
    tellRoom(room)
    tellRoom({ ...room, callDetails: null })
    await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'join Room 1']))
    tellRoom(room)
    expect(await callWindow()).toBeVisible()
    expect(engine.told).not.toContainEqual(['close'])
  })

  test('ends here when it ends for everybody', async () => {
    const { room, script } = await inCall()
    tellRoom(room)
    expect(await callWindow()).toBeVisible()
    script.refusal = 'This call has ended.'
    tellRoom({ ...room, callDetails: null })
    expect(await screen.findByText('The call “Room 1” has ended.')).toBeVisible()
  })

  test('is left by going offline, and offered again while it goes on', async () => {
    const { user, script } = await inCall()
    answer('get', `/calls/${CALL}`, { endedAt: null })
    act(() => setOnline(false))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Call in Room 1' })).toBeNull())
    expect(engine.told).toContainEqual(['close'])
    act(() => setOnline(true))
    await user.click(await screen.findByRole('button', { name: 'Join again' }))
    expect(await callWindow()).toBeVisible()
    expect(script.acts).toEqual(['join Room 1', 'leave', 'join Room 1'])
  })

  test('is not offered again once it is over', async () => {
    await inCall()
    answer('get', `/calls/${CALL}`, { endedAt: new Date().toISOString() })
    act(() => setOnline(false))
    act(() => setOnline(true))
    await waitFor(() => expect(sessionStorage.getItem('muster.call')).toBeNull())
    expect(screen.queryByRole('button', { name: 'Join again' })).toBeNull()
  })

  test('is offered again after the page was loaded again', async () => {
    const { uuid } = JSON.parse(localStorage.getItem('muster.session')!) as { uuid: string }
    const room = aRoom(1, { sequence: 1, callDetails: someCall(1) })
    sessionStorage.setItem(
      'muster.call',
      JSON.stringify({ callId: CALL, roomId: room.id, title: 'Room 1', uuid }),
    )
    const script = serveCalls([room], [callMessage(room.id, 1)])
    answer('get', `/calls/${CALL}`, { endedAt: null })
    const { user } = await openRoom(room.id)
    await follows(script)
    expect(await screen.findByText(/when this page was loaded again\. It goes on\.$/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Join again' }))
    expect(await callWindow()).toBeVisible()
  })

  test('tells other tabs of this browser, and goes on there when they take it', async () => {
    const heard: { news: { type: string; call?: unknown } }[] = []
    const other = new BroadcastChannel('muster.calls')
    other.addEventListener('message', ({ data }) => heard.push(data as never))
    try {
      const { script, room } = await inCall()
      const uuid = JSON.parse(localStorage.getItem('muster.session')!).uuid as string
      const state = { type: 'state', call: { callId: CALL, roomId: room.id, title: 'Room 1' } }
      await waitFor(() => expect(heard.map(({ news }) => news)).toContainEqual(state))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is no window
      other.postMessage({ uuid, tab: 'another', news: { type: 'leave' } })
      await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'leave']))
      await waitFor(() => expect(heard.at(-1)!.news).toEqual({ type: 'state', call: null }))
    } finally {
      other.close()
    }
  })

  test('is known to other tabs for as long as it goes on, and no longer', async () => {
    const { user } = await inCall()
    const changed = vi.fn<() => void>()
    const other = new OtherTabs({ mine: () => null, leave: () => undefined, changed })
    const posts = new BroadcastChannel('muster.calls')
    let said = 0
    posts.addEventListener('message', () => said++)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stop = other.start()
    try {
      await vi.waitFor(() => expect(other.current()).toMatchObject({ callId: CALL, title: 'Room 1' }))
      for (const seconds of [3, 3, 3, 3]) {
        vi.advanceTimersByTime(seconds * 1_000)
        const before = said
        tick()
        await vi.waitFor(() => expect(said).toBeGreaterThan(before))
      }
      expect(other.current()).not.toBeNull()
      // The call was never dropped in between.
      expect(changed).toHaveBeenCalledTimes(1)
      vi.useRealTimers()
      await user.click((await inWindow()).getByRole('button', { name: 'Leave Call' }))
      await waitFor(() => expect(other.current()).toBeNull())
      const before = said
      tick()
      expect(said).toBe(before)
    } finally {
      vi.useRealTimers()
      stop()
      posts.close()
    }
  })
})
