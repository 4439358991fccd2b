import { act, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useEffect } from 'react'
import { Outlet, RouterProvider, useParams } from 'react-router-dom'
import { onTestFinished, vi } from 'vitest'

import type {
  CallDetails,
  CallParticipant,
  IceServer,
  IncomingCall,
  Ringing,
} from '#contract/calls/schema.ts'
import type { ChatChange, Message, Room } from '#contract/chat/schema.ts'
import type { EngineState, JoinEngine } from '#providers/calls/engine.ts'

import { createAuthProvider } from '#providers/authProvider.ts'
import { chat } from '#providers/chat/chat.ts'
import { useRoom, useTimeline } from '#providers/chat/useChat.ts'
import { loadMessages } from '#providers/i18nProvider.ts'
import { live } from '#providers/live.ts'
import { createApplication } from '#src/app/application.tsx'
import { CallLayer } from '#src/app/CallLayer.tsx'
import { CALL_PLACE } from '#src/app/places.ts'
import { MessageRow } from '#src/chat/message/MessageRow.tsx'
import { RoomHeader } from '#src/chat/room/RoomHeader.tsx'
import { Toasts } from '#src/kit/feedback/Toasts.tsx'
import { Themed } from '#src/kit/theme/Themed.tsx'

import { API, aProblem, FakeSocket, server } from './client.tsx'
import { aMessage, aPerson, uuidOf } from './client-chat.ts'

const MY_ID = '7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90'
const STARTED = new Date(Date.now() - 5.5 * 60_000).toISOString()
export const CALL = uuidOf(500)

export const aParticipant = (n: number, changes: Partial<CallParticipant> = {}): CallParticipant => ({
  participantId: uuidOf(600 + n),
  userId: uuidOf(100 + n),
  name: `Grace Hopper ${n}`,
  avatar: null,
  joinedAt: STARTED,
  ...changes,
})
/** An ongoing call, whose message has this number. */
export const someCall = (message: number, changes: Partial<CallDetails> = {}): CallDetails => ({
  callId: CALL,
  messageId: uuidOf(1_000 + message),
  meetingId: '123456789',
  startedAt: STARTED,
  participants: [aParticipant(1)],
  ...changes,
})
export const callMessage = (
  roomId: string,
  sequence: number,
  call: Partial<NonNullable<Message['call']>> = {},
): Message =>
  aMessage(roomId, sequence, {
    text: '',
    isCall: true,
    call: { id: CALL, startedAt: STARTED, endedAt: null, isMissed: false, ...call },
  })
export const incomingCall = (room: Room, changes: Partial<IncomingCall> = {}): IncomingCall => ({
  callId: CALL,
  roomId: room.id,
  title: room.name ?? 'Grace Hopper 1',
  isDirect: room.kind === 'DIRECT_MESSAGE',
  isExercise: false,
  by: aPerson(1),
  until: new Date(Date.now() + 45_000).toISOString(),
  ...changes,
})

/** Lets the call's tickers tick once, because test workers do not run. */
export const tick = (): void => {
  for (const worker of tickers) worker.dispatchEvent(new Event('message'))
}
const tickers = new Set<EventTarget>()

/** Stubs the browser features that calls need. */
export function canCall() {
  tickers.clear()
  vi.stubGlobal('RTCPeerConnection', EventTarget)
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor() {
        super()
        tickers.add(this)
      }
      postMessage() {}
      terminate() {
        tickers.delete(this)
      }
    },
  )
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: Object.assign(new EventTarget(), { enumerateDevices: () => Promise.resolve([]) }),
  })
}

/** An engine that connects at once and carries nothing. */
export const joinNothing: JoinEngine = ({ media, onState }) => {
  const state: EngineState = {
    status: 'connected',
    tiles: [],
    media: { ...media, screen: false },
    videoPaused: null,
    problem: null,
  }
  onState(state)
  const nothing = () => Promise.resolve()
  return Promise.resolve({
    participants: () => undefined,
    receive: () => undefined,
    heard: () => undefined,
    setAudio: nothing,
    setVideo: nothing,
    setScreen: nothing,
    setHand: () => undefined,
    useDevices: nothing,
    renew: () => undefined,
    restart: () => undefined,
    close: () => undefined,
  })
}

/** State of the scripted server. */
export interface CallScript {
  rooms: Room[]
  messages: Message[]
  readonly started: { roomId: string; ringing?: Ringing }[]
  readonly rung: Ringing[]
  /** Calls joined, left, declined and ended, in order. */
  readonly acts: string[]
  refusal: string | null
  iceServers: IceServer[]
  /** The calls that ring when a page subscribes. */
  incoming: IncomingCall[]
}

/** Serves these rooms with these messages, and calls in them. */
export function serveCalls(rooms: Room[], messages: Message[] = []): CallScript {
  const script: CallScript = {
    rooms,
    messages,
    started: [],
    rung: [],
    acts: [],
    refusal: null,
    iceServers: [],
    incoming: [],
  }
  const pages = new Set<string>()
  const find = (id: unknown) => script.rooms.find((room) => room.id === id)
  const joined = (room: Room, participantId: string) => {
    const call = room.callDetails ?? someCall(room.sequence + 1, { participants: [] })
    pages.add(participantId)
    const me = aParticipant(0, { participantId, userId: MY_ID, name: 'Ada Lovelace' })
    return {
      roomId: room.id,
      title: room.name ?? 'Grace Hopper 1',
      participantId,
      call: { ...call, participants: [...call.participants, me] },
      engine: { kind: 'built-in', iceServers: script.iceServers },
    }
  }
  const act = (name: string | null) => {
    if (name !== null) script.acts.push(name)
    return new HttpResponse(null, { status: 204 })
  }
  server.use(
    http.get(`${API}/chat/rooms`, ({ request }) => {
      const { kind } = JSON.parse(new URL(request.url).searchParams.get('filter')!) as { kind: string }
      const mine = script.rooms.filter((room) => room.kind === kind)
      return HttpResponse.json(mine, { headers: { 'Content-Range': `rooms 0-19/${mine.length}` } })
    }),
    http.get(`${API}/chat/rooms/:id`, ({ params }) => {
      const room = find(params['id'])
      return room ? HttpResponse.json(room) : HttpResponse.json(aProblem('No.'), { status: 404 })
    }),
    http.get(`${API}/chat/rooms/:id/messages`, ({ params }) =>
      HttpResponse.json({
        messages: script.messages.filter(({ roomId }) => roomId === params['id']),
        people: [aPerson(1)],
        hasOlder: false,
        hasNewer: false,
      }),
    ),
    http.post(`${API}/chat/rooms/:id/read`, () => new HttpResponse(null, { status: 204 })),
    http.post(`${API}/calls`, async ({ request }) => {
      const body = (await request.json()) as { roomId: string; participantId: string; ringing?: Ringing }
      if (script.refusal) return HttpResponse.json(aProblem(script.refusal), { status: 409 })
      const { participantId, ...wanted } = body
      script.started.push(wanted)
      return HttpResponse.json(joined(find(body.roomId)!, participantId), { status: 201 })
    }),
    http.post(`${API}/calls/:id/participants`, async ({ request, params }) => {
      const { participantId } = (await request.json()) as { participantId: string }
      if (script.refusal) return HttpResponse.json(aProblem(script.refusal), { status: 409 })
      const room = script.rooms.find(({ callDetails }) => callDetails?.callId === params['id'])!
      script.acts.push(`join ${room.name}`)
      return HttpResponse.json(joined(room, participantId), { status: 201 })
    }),
    http.delete(`${API}/calls/:id/participants/:participantId`, ({ params }) =>
      // The page of an earlier test may leave only now.
      act(pages.has(String(params['participantId'])) ? 'leave' : null),
    ),
    http.post(`${API}/calls/:id/rings`, async ({ request }) => {
      script.rung.push((await request.json()) as Ringing)
      return HttpResponse.json({ rung: 2 })
    }),
    http.post(`${API}/calls/:id/decline`, () => act('decline')),
    http.delete(`${API}/calls/:id`, () => act('end')),
  )
  return script
}

let sequence = 100
/** Sends a frame about a call or a room on the live socket. */
export const socketSays = (frame: object): void => act(() => FakeSocket.last!.say(frame as never))
export const tellRoom = (room: Room): void =>
  socketSays({ type: 'chat', kind: 'room', sequence: ++sequence, roomId: room.id, room } satisfies ChatChange)

/** Connects the page, and waits until it subscribes to calls, which happens after the first page. */
export async function follows(script: CallScript): Promise<void> {
  await vi.waitFor(
    () => {
      if (!FakeSocket.last) throw new Error('The page has not connected.')
    },
    { timeout: 30_000 },
  )
  socketSays({ type: 'ready', sequence: 1 })
  await vi.waitFor(
    () => {
      if (!FakeSocket.last!.sent.includes(JSON.stringify({ type: 'call-rings' })))
        throw new Error('The page does not follow its calls.')
    },
    { timeout: 30_000 },
  )
  socketSays({ type: 'call-rings', incoming: script.incoming })
}

function RoomPage() {
  const { id = '' } = useParams()
  const room = useRoom(id)
  const { messages } = useTimeline(id)
  useEffect(() => void chat.open(id), [id])
  if (!room) return null
  return (
    <>
      <RoomHeader room={room} panel={null} onPanel={() => undefined} />
      <section aria-label="Messages">
        {messages.map((message) => (
          <MessageRow
            key={message.id}
            room={room}
            message={message}
            startsGroup
            isLatestOwn={false}
            onQuote={() => undefined}
            onJump={() => undefined}
          />
        ))}
      </section>
    </>
  )
}

/** Opens a room with all its messages and the call parts of every page, without the page around them. */
export async function openRoom(id: string) {
  await loadMessages()
  history.replaceState(null, '', `/chat/${id}`)
  const { router, queryClient } = createApplication({
    name: 'muster',
    apis: {},
    definitions: {},
    authProvider: createAuthProvider({}, () => Promise.resolve()),
    shell: (
      <>
        <div id={CALL_PLACE} />
        <Outlet />
        <CallLayer />
        <Toasts />
      </>
    ),
    pages: [{ path: '/chat/:id', element: <RoomPage /> }],
  })
  const stops = [live.start(), chat.start()]
  onTestFinished(() => {
    for (const stop of stops) stop()
    router.dispose()
    queryClient.clear()
  })
  const user = userEvent.setup()
  render(
    <Themed>
      <RouterProvider router={router} />
    </Themed>,
  )
  return { user, goTo: (roomId: string) => act(() => router.navigate(`/chat/${roomId}`)) }
}
