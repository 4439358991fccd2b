import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Message, Room } from '#contract/chat/schema.ts'
import { signedIn } from '#tests/support/client.tsx'
import { aMessage, aRoom, uuidOf } from '#tests/support/client-chat.ts'

import { startAlerts, useAlertChoice } from './alerts.ts'
import { chat } from './chat.ts'

const shown: { title: string; body: string; tag: string }[] = []
let rung = 0
let permission: NotificationPermission = 'granted'
class FakeNotification extends EventTarget {
  static last: FakeNotification | undefined
  static get permission() {
    return permission
  }
  static requestPermission = async () => permission
  constructor(title: string, { body, tag }: { body: string; tag: string }) {
    super()
    shown.push({ title, body, tag })
    FakeNotification.last = this
  }
  close() {}
}
class FakeAudio {
  currentTime = 0
  destination = null
  constructor() {
    rung++
  }
  createGain = () => ({ gain: {}, connect: () => {} })
  createOscillator = () => ({ frequency: {}, connect: () => {}, start: () => {}, stop: () => {} })
  close = async () => {}
}

const ROOM = uuidOf(1)
const opened: string[] = []
let arrives: (message: Message, room?: Partial<Room>) => Promise<void>
let me = ''

beforeEach(() => {
  shown.length = 0
  opened.length = 0
  rung = 0
  permission = 'granted'
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('AudioContext', FakeAudio)
  me = signedIn('USER').uuid
  let hear: Parameters<typeof chat.onArrival>[0] = () => {}
  vi.spyOn(chat, 'onArrival').mockImplementation((listener) => {
    hear = listener
    return () => {}
  })
  vi.spyOn(chat, 'loadRoom').mockResolvedValue(undefined)
  const room = vi.spyOn(chat, 'room')
  arrives = async (message, changes = {}) => {
    room.mockReturnValue(aRoom(1, changes))
    const mentionsMe = Promise.resolve(message.mentioned_users.includes(me))
    hear({ message, mentionsMe } as Parameters<typeof hear>[0])
    await new Promise((resolve) => setTimeout(resolve))
  }
  startAlerts({ title: (_, { name }) => `New in ${name}`, file: 'A file' }, (address) => opened.push(address))
})
afterEach(async () => {
  const { result } = renderHook(() => useAlertChoice())
  act(() => result.current.setSound(false))
  await act(() => result.current.setNotifications(false))
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const mention = () => aMessage(ROOM, 1, { mentioned_users: [me] })
async function choose(kind: 'notifications' | 'sound') {
  const { result } = renderHook(() => useAlertChoice())
  await act(async () => {
    if (kind === 'sound') result.current.setSound(true)
    else await result.current.setNotifications(true)
  })
  return result.current
}

test('nobody is alerted who did not choose it', async () => {
  await arrives(mention())
  await arrives(aMessage(ROOM, 2), { kind: 'DIRECT_MESSAGE' })
  expect(shown).toEqual([])
  expect(rung).toBe(0)
})

test('a muted conversation alerts with mentions only', async () => {
  await choose('sound')
  const muted = { kind: 'DIRECT_MESSAGE', membership: { ...aRoom(1).membership, isMuted: true } } as const
  await arrives(aMessage(ROOM, 1), muted)
  expect(rung).toBe(0)
  await arrives(mention(), muted)
  expect(rung).toBe(1)
})

test('a notification says who is mentioned where, and leads there', async () => {
  expect((await choose('notifications')).notifications).toBe(true)
  await arrives(mention())
  expect(shown).toEqual([{ title: 'New in Room 1', body: 'Text 1', tag: uuidOf(1_001) }])
  expect(rung).toBe(0)
  FakeNotification.last!.dispatchEvent(new Event('click'))
  expect(opened).toEqual([`/chat/${ROOM}?message=${uuidOf(1_001)}`])
})

test('a sound is heard for mentions and direct messages only, and not for calls', async () => {
  await choose('sound')
  await arrives(aMessage(ROOM, 1))
  await arrives(aMessage(ROOM, 2, { isCall: true }), { kind: 'DIRECT_MESSAGE' })
  expect(rung).toBe(0)
  await arrives(mention())
  await arrives(aMessage(ROOM, 3), { kind: 'DIRECT_MESSAGE' })
  expect(rung).toBe(2)
  expect(shown).toEqual([])
})

test('notifications stay off where the browser refuses them', async () => {
  permission = 'denied'
  expect((await choose('notifications')).notifications).toBe(false)
  await arrives(mention())
  expect(shown).toEqual([])
})
