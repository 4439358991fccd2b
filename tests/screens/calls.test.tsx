import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { CALL_FULL } from '#contract/calls/schema.ts'
import type { RoomMember } from '#contract/chat/schema.ts'
import { callChoices } from '#providers/calls/choices.ts'
import {
  aParticipant,
  CALL,
  callMessage,
  canCall,
  follows,
  incomingCall,
  joinNothing,
  openRoom,
  serveCalls,
  socketSays,
  someCall,
  tellRoom,
} from '#tests/support/client-calls.tsx'
import { aMessage, aPerson, aRoom, uuidOf } from '#tests/support/client-chat.ts'
import {
  answer,
  API,
  aProblem,
  FakeSocket,
  laidOut,
  open,
  server,
  setOnline,
  signedIn,
} from '#tests/support/client.tsx'

vi.mock('#providers/calls/engines.ts', () => ({
  ENGINES: { 'built-in': () => Promise.resolve(joinNothing), jitsi: () => Promise.resolve(joinNothing) },
}))

const UNSUPPORTED = 'This browser does not support calls.'
const messages = async () => within(await screen.findByRole('region', { name: 'Messages' }))
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const header = async () => {
  const { previousElementSibling } = await screen.findByRole('region', { name: 'Messages' })
  return within(previousElementSibling as HTMLElement)
}
const banner = () => within(screen.getAllByRole('banner')[0]!)
const ringing = () => screen.findByRole('alertdialog', { name: 'Incoming call' })
const withConfig = (changes: object) => answer('get', '/config', { dialInEnabled: false, ...changes })

beforeEach(() => {
  laidOut()
  canCall()
  signedIn('USER')
  withConfig({})
})

describe('the banner', () => {
  test('says when a call started and who is in it, five of them as pictures, and joins it', async () => {
    const participants = [1, 2, 3, 4, 5, 6].map((n) => aParticipant(n))
    const room = aRoom(1, { sequence: 1, callDetails: someCall(1, { participants }) })
    const script = serveCalls([room], [callMessage(room.id, 1)])
    const { user } = await openRoom(room.id)
    const list = await messages()
    expect(await list.findByText('Call started')).toBeVisible()
    expect(list.getByText(/^Started/)).toHaveTextContent('Started 5 minutes ago')
    const names = participants.map(({ name }) => name).join(', ')
    expect(list.getByText(`In this call: ${names}`)).toBeInTheDocument()
    expect(list.getAllByText(/^G\d$/)).toHaveLength(5)
    expect(list.getByText('+1')).toBeVisible()
    await user.click(list.getByRole('button', { name: 'Join Call' }))
    expect(await list.findByRole('button', { name: 'Return to Call' })).toBeVisible()
    expect(script.acts).toEqual(['join Room 1'])
  })

  test('is active only for the call that the room has now', async () => {
    const room = aRoom(1, { sequence: 3, callDetails: someCall(2) })
    const ended = { startedAt: '2026-01-01T10:00:00.000Z', endedAt: '2026-01-01T10:12:00.000Z' }
    const script = serveCalls(
      [room],
      [
        callMessage(room.id, 1, ended),
        callMessage(room.id, 2),
        // Without `endedAt`: only the room's `callDetails` shows that it is over.
        callMessage(room.id, 3, { isMissed: true }),
      ],
    )
    await openRoom(room.id)
    const list = await messages()
    expect(await list.findAllByText('Call started')).toHaveLength(1)
    expect(list.getAllByText('Call ended')).toHaveLength(2)
    expect(list.getByText(/12 minutes long/)).toBeVisible()
    expect(list.getByText(/Nobody else joined/)).toBeVisible()
    expect(list.getAllByRole('button', { name: 'Join Call' })).toHaveLength(1)
    await follows(script)
    tellRoom({ ...room, callDetails: null })
    await waitFor(() => expect(list.getAllByText('Call ended')).toHaveLength(3))
    expect(list.queryByRole('button', { name: 'Join Call' })).toBeNull()
  })

  test('tells who was in it and when, once it is over', async () => {
    const room = aRoom(1, { sequence: 1 })
    serveCalls([room], [callMessage(room.id, 1, { endedAt: '2026-01-01T10:12:00.000Z' })])
    const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`
    answer('get', `/calls/${CALL}`, {
      attendance: [
        { person: aPerson(2), joinedAt: at(5), leftAt: at(9) },
        { person: aPerson(1), joinedAt: at(0), leftAt: at(3) },
        { person: aPerson(1), joinedAt: at(4), leftAt: at(12) },
      ],
    })
    const { user } = await openRoom(room.id)
    await user.click(await (await messages()).findByRole('button', { name: 'Who was here' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Who was in this call' }))
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(2))
    const [first, second] = dialog.getAllByRole('listitem')
    const times = (element: HTMLElement) =>
      [...element.querySelectorAll('time')].map(({ dateTime }) => dateTime)
    expect(times(first!)).toEqual([at(0), at(3), at(4), at(12)])
    expect(times(second!)).toEqual([at(5), at(9)])
  })

  test('says why a call cannot be joined', async () => {
    const room = aRoom(1, { sequence: 1, callDetails: someCall(1) })
    serveCalls([room], [callMessage(room.id, 1)]).refusal = CALL_FULL
    const { user } = await openRoom(room.id)
    await user.click(await (await messages()).findByRole('button', { name: 'Join Call' }))
    expect(await screen.findByText(CALL_FULL)).toBeVisible()
  })

  test('is neither edited nor made an activity', async () => {
    const room = aRoom(1, { sequence: 1 })
    serveCalls([room], [callMessage(room.id, 1, { endedAt: new Date().toISOString() })])
    const { user } = await openRoom(room.id)
    await (await messages()).findByText('Call ended')
    ;(await button('More actions')).focus()
    await user.keyboard('{Enter}')
    const menu = within(await screen.findByRole('menu'))
    expect(menu.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
    expect(menu.queryByRole('menuitem', { name: /Edit|Delete|incident/i })).toBeNull()
  })
})

describe('the control in a room', () => {
  test('starts a call with one press, which rings nobody', async () => {
    const room = aRoom(1)
    const script = serveCalls([room])
    const { user } = await openRoom(room.id)
    await user.click(await button('Start a call'))
    await waitFor(() => expect(script.started).toEqual([{ roomId: room.id, ringing: { who: 'NOBODY' } }]))
    expect(await (await header()).findByRole('button', { name: 'Return to Call' })).toBeVisible()
  })

  test('does not where the browser lacks calls', async () => {
    const room = aRoom(1)
    const script = serveCalls([room])
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: undefined })
    const { user } = await openRoom(room.id)
    await user.click(await button('Start a call'))
    expect(await screen.findByText(UNSUPPORTED)).toBeVisible()
    expect(script.started).toEqual([])
  })

  test('calls everybody', async () => {
    const room = aRoom(1)
    const script = serveCalls([room])
    const { user } = await openRoom(room.id)
    await user.click(await button('More about calls'))
    await user.click(await screen.findByRole('menuitem', { name: /^Call everybody/ }))
    await waitFor(() => expect(script.started[0]?.ringing).toEqual({ who: 'EVERYBODY' }))
  })

  test('calls chosen members, also into a call that goes on', async () => {
    const room = aRoom(1)
    const script = serveCalls([room])
    const members = [1, 2].map((n): RoomMember => ({
      ...aPerson(n),
      user_id: aPerson(n).uuid,
      fullName: `Grace Hopper ${n}`,
      channel_role: 'member',
      isOwner: false,
      isAdmin: false,
      readSequence: 0,
    }))
    server.use(
      http.get(`${API}/chat/rooms/:id/members`, () =>
        HttpResponse.json(members, { headers: { 'Content-Range': 'members 0-29/2' } }),
      ),
    )
    const { user } = await openRoom(room.id)
    const choose = async () => {
      await user.click(await button('More about calls'))
      await user.click(await screen.findByRole('menuitem', { name: /^Choose people/ }))
      await user.click(await screen.findByRole('checkbox', { name: 'Grace Hopper 2' }))
      await user.click(await button('Call 1 person'))
    }
    const wanted = { who: 'PEOPLE', userIds: [uuidOf(102)] }
    await choose()
    await waitFor(() => expect(script.started[0]?.ringing).toEqual(wanted))
    await (await header()).findByRole('button', { name: 'Return to Call' })
    await choose()
    await waitFor(() => expect(script.rung).toEqual([wanted]))
    expect(await screen.findByText('2 people are being called.')).toBeVisible()
  })

  test('lets managers of the room end its call for everybody, after a question', async () => {
    const membership = { ...aRoom(1).membership, role: 'owner' as const }
    const room = aRoom(1, { membership, callDetails: someCall(1) })
    const script = serveCalls([room])
    const { user } = await openRoom(room.id)
    await user.click(await button('More about calls'))
    await user.click(await screen.findByRole('menuitem', { name: 'End call for everybody' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'End this call?' }))
    await user.click(dialog.getByRole('button', { name: 'End Call' }))
    await waitFor(() => expect(script.acts).toEqual(['end']))
  })

  test('calls nobody by the menu of a direct message, where everybody is called anyway', async () => {
    const room = aRoom(1, {
      kind: 'DIRECT_MESSAGE',
      type: 'messaging',
      name: null,
      isWarRoom: false,
      people: [aPerson(1)],
    })
    serveCalls([room])
    const { user } = await openRoom(room.id)
    await user.click(await button('More about calls'))
    const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Check devices/)])
  })

  test('checks devices before a call, which then offers no test', async () => {
    Object.assign(navigator.mediaDevices, {
      enumerateDevices: () => Promise.resolve([]),
      getUserMedia: () => Promise.reject(new DOMException('none', 'NotFoundError')),
    })
    const room = aRoom(1)
    const script = serveCalls([room])
    const { user } = await openRoom(room.id)
    await user.click(await button('More about calls'))
    await user.click(await screen.findByRole('menuitem', { name: /^Check devices/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Microphone, camera and speaker' }))
    expect(await dialog.findByText(/^No microphone could be used\./)).toBeVisible()
    await user.click(dialog.getByRole('checkbox', { name: 'Camera on' }))
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(callChoices()).toMatchObject({ isTested: true, video: true })
    expect(script.started).toEqual([])
  })
})

describe('joining by telephone', () => {
  const room = aRoom(1, { sequence: 1, callDetails: someCall(1) })
  const script = () => serveCalls([room], [callMessage(room.id, 1)])

  test('has the numbers with those of Canada and the United States first, and a PIN, to be copied', async () => {
    withConfig({ dialInEnabled: true })
    script()
    answer('get', `/calls/${CALL}/dial-in`, {
      pin: '123456789',
      numbers: [
        { countryCode: 'FR', tollFree: false, formattedNumber: '+33 1 23 45 67 89' },
        { countryCode: 'US', tollFree: true, formattedNumber: '+1 855 555 0100' },
        { countryCode: 'CA', tollFree: true, formattedNumber: '+1 833 555 0100' },
      ],
    })
    const { user } = await openRoom(room.id)
    await user.click(await button('Dial-In Details'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Dial-In Details' }))
    expect(await dialog.findByText('123456789#')).toBeVisible()
    expect(dialog.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'PIN',
      'Canada · Toll-free',
      'United States · Toll-free',
      'France',
    ])
    expect(dialog.getByRole('link', { name: '+1 833 555 0100' })).toHaveAttribute('href', 'tel:+18335550100')
    await user.click(dialog.getByRole('button', { name: 'Copy Details' }))
    expect(await dialog.findByText('Copied')).toBeVisible()
    const copied = await navigator.clipboard.readText()
    expect(copied).toContain('+1 855 555 0100')
    expect(copied).toContain('PIN: 123456789#')
    expect(await dialog.findByRole('button', { name: 'Copy Details' })).toBeVisible()
    expect(dialog.queryByText('Copied')).toBeNull()
  })

  test('says that there are no numbers when their service does not answer', async () => {
    withConfig({ dialInEnabled: true })
    script()
    answer('get', `/calls/${CALL}/dial-in`, { pin: '123456789', numbers: [] })
    const { user } = await openRoom(room.id)
    await user.click(await button('Dial-In Details'))
    expect(await screen.findByText(/could not be loaded\. The call goes on without them/)).toBeVisible()
    expect(screen.getByText('123456789#')).toBeVisible()
  })

  test('is requested from the provider where the organisation does not have it', async () => {
    script()
    const asked: (string | null)[] = []
    server.use(
      http.post(`${API}/feature/upgrade`, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('name'))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = await openRoom(room.id)
    await user.click(await button('Request joining by telephone'))
    expect(
      await screen.findByText(
        'Thank you for your request, we will be in touch with your organization’s administrator.',
      ),
    ).toBeVisible()
    expect(asked).toEqual(['DIAL_IN'])
    expect(screen.queryByRole('button', { name: 'Dial-In Details' })).toBeNull()
  })

  test('was requested already, or cannot be', async () => {
    script()
    answer('post', '/feature/upgrade', aProblem('This feature was already requested recently.'), 429)
    const { user } = await openRoom(room.id)
    await user.click(await button('Request joining by telephone'))
    expect(await screen.findByText('This feature was already requested recently.')).toBeVisible()
    answer('post', '/feature/upgrade', aProblem('Requests are closed.'), 403)
    await user.click(await button('Request joining by telephone'))
    expect(await screen.findByText('Requests are closed.')).toBeVisible()
  })
})

describe('a call that rings', () => {
  const room = aRoom(1, { sequence: 1, callDetails: someCall(1) })
  const ring = (changes = {}) =>
    socketSays({ type: 'call-ring', incoming: { ...incomingCall(room), ...changes } })

  test('is shown on any page with who calls and where, and read aloud', async () => {
    const script = serveCalls([room])
    open('/')
    await follows(script)
    ring()
    const call = within(await ringing())
    expect(call.getByText('Grace Hopper 1')).toBeVisible()
    expect(call.getByText('Room 1')).toBeVisible()
    expect(screen.getByText('Incoming call: Grace Hopper 1 is calling in Room 1')).toBeInTheDocument()
    expect(await ringing()).toHaveFocus()
  })

  test('of an exercise is never taken for a real one', async () => {
    const script = serveCalls([room])
    open('/')
    await follows(script)
    ring({ isExercise: true })
    expect(within(await ringing()).getByText('EXERCISE')).toBeVisible()
    expect(screen.getByText(/^Incoming call: EXERCISE: Grace Hopper 1 is calling/)).toBeInTheDocument()
  })

  test('rings on a page that comes later', async () => {
    const script = serveCalls([room])
    script.incoming = [incomingCall(room)]
    open('/')
    await follows(script)
    expect(await ringing()).toBeVisible()
  })

  test('is over where it has ended while the connection was lost', async () => {
    const script = serveCalls([room])
    open('/')
    await follows(script)
    ring()
    await ringing()
    const before = FakeSocket.last!
    act(() => void before.dispatchEvent(new CloseEvent('close', { code: 1006 })))
    await waitFor(() => expect(FakeSocket.last).not.toBe(before))
    expect(screen.getByRole('alertdialog', { name: 'Incoming call' })).toBeVisible()
    await follows(script)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('is joined where one is', async () => {
    const script = serveCalls([room])
    const user = open('/')
    await follows(script)
    ring()
    await user.click(within(await ringing()).getByRole('button', { name: 'Join' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(script.acts).toEqual(['join Room 1'])
    expect(location.pathname).toBe('/')
    expect(await banner().findByRole('button', { name: 'Return to Call' })).toBeVisible()
  })

  test('is declined, and stops where it was answered elsewhere', async () => {
    const script = serveCalls([room])
    const user = open('/')
    await follows(script)
    ring()
    await user.click(within(await ringing()).getByRole('button', { name: 'Decline' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(script.acts).toEqual(['decline'])
    ring()
    await ringing()
    socketSays({ type: 'call-ring-over', callId: CALL })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('does not take the focus from who types', async () => {
    const script = serveCalls([room], [aMessage(room.id, 1)])
    const user = open('/chat')
    await follows(script)
    await user.click(await button('Find a chat'))
    const box = await screen.findByRole('combobox')
    await user.type(box, 'Ro')
    ring()
    await ringing()
    await user.keyboard('om')
    expect(box).toHaveValue('Room')
    expect(box).toHaveFocus()
  })

  test('is seen, read and reached by keyboard above a dialog, which stays open', async () => {
    const script = serveCalls([room], [aMessage(room.id, 1)])
    const user = open('/chat')
    await follows(script)
    await user.click(await button('Find a chat'))
    const box = await screen.findByRole('combobox')
    ring()
    const call = within(await ringing())
    expect(screen.getByRole('alert')).toHaveTextContent('Incoming call: Grace Hopper 1')
    const [join, decline] = ['Join', 'Decline'].map((name) => call.getByRole('button', { name }))
    const reached = new Set<Element | null>()
    for (let presses = 0; presses < 12; presses++) {
      await user.tab()
      reached.add(document.activeElement)
    }
    for (const target of [join, decline, box]) expect(reached).toContain(target)
    for (let presses = 0; presses < 12 && document.activeElement !== join; presses++)
      await user.tab({ shift: true })
    expect(join).toHaveFocus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(script.acts).toEqual(['join Room 1']))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(box).toBeVisible()
  })

  test('stands before others that ring', async () => {
    const script = serveCalls([room])
    open('/')
    await follows(script)
    ring()
    await ringing()
    ring({ callId: uuidOf(501), title: 'Room 2' })
    await waitFor(() => expect(screen.getAllByRole('alertdialog')).toHaveLength(2))
    expect(screen.getAllByRole('alertdialog')[0]).toHaveTextContent('Room 2')
  })

  test('makes itself heard once the page was clicked, until it is over', async () => {
    const tones: string[] = []
    class Param {
      setValueAtTime() {}
      exponentialRampToValueAtTime() {}
    }
    vi.stubGlobal(
      'AudioContext',
      class {
        currentTime = 0
        createGain = () => ({ connect: () => undefined, gain: new Param() })
        createOscillator = () => ({
          connect: () => undefined,
          frequency: {},
          stop: () => undefined,
          start: () => tones.push('tone'),
        })
        close = () => Promise.resolve(tones.push('closed'))
      },
    )
    const script = serveCalls([room])
    const user = open('/')
    await follows(script)
    ring()
    await ringing()
    expect(tones).toEqual([])
    await user.keyboard('{Shift}')
    expect(tones).toContain('tone')
    socketSays({ type: 'call-ring-over', callId: CALL })
    await waitFor(() => expect(tones.at(-1)).toBe('closed'))
  })
})

describe('during a call', () => {
  const one = aRoom(1, { callDetails: someCall(1) })
  const other = aRoom(2, { callDetails: someCall(1, { callId: uuidOf(502), messageId: uuidOf(1_900) }) })
  const inCall = async () => {
    const script = serveCalls([one, other])
    const { user, goTo } = await openRoom(one.id)
    await follows(script)
    await user.click(await (await header()).findByRole('button', { name: 'Join Call' }))
    await (await header()).findByRole('button', { name: 'Return to Call' })
    return { script, user, goTo }
  }

  test('it does not ring on this page, where somebody else rings the room for it', async () => {
    await inCall()
    socketSays({ type: 'call-ring', incoming: incomingCall(one) })
    expect(screen.queryByRole('alertdialog', { name: 'Incoming call' })).toBeNull()
    socketSays({ type: 'call-ring', incoming: incomingCall(other, { callId: uuidOf(502) }) })
    expect(within(await ringing()).getByText('Room 2')).toBeVisible()
  })

  test('another one is joined after a question only', async () => {
    const { script, user, goTo } = await inCall()
    await goTo(other.id)
    await user.click(await (await header()).findByRole('button', { name: 'Join Call' }))
    const dialog = () => screen.findByRole('dialog', { name: 'Start/Join Another Call' })
    await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
    expect(script.acts).toEqual(['join Room 1'])
    await user.click(await (await header()).findByRole('button', { name: 'Join Call' }))
    await user.click(within(await dialog()).getByRole('button', { name: 'Leave and Join' }))
    await waitFor(() => expect(script.acts).toEqual(['join Room 1', 'leave', 'join Room 2']))
  })

  test('going offline leaves it, and it can be joined again with one press while it goes on', async () => {
    const { script, user } = await inCall()
    answer('get', `/calls/${CALL}`, {
      id: CALL,
      roomId: one.id,
      messageId: uuidOf(1_001),
      meetingId: '123456789',
      startedBy: aPerson(1),
      startedAt: someCall(1).startedAt,
      endedAt: null,
      attendance: [],
    })
    act(() => setOnline(false))
    expect(await (await header()).findByRole('button', { name: 'Join Call' })).toBeVisible()
    act(() => setOnline(true))
    expect(await screen.findByText(/You left the call “Room 1”/)).toBeVisible()
    await user.click(await button('Join again'))
    expect(await (await header()).findByRole('button', { name: 'Return to Call' })).toBeVisible()
    expect(script.acts.filter((act) => act.startsWith('join'))).toHaveLength(2)
  })
})
