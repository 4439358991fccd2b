import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { Link, Outlet, RouterProvider, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { onTestFinished } from 'vitest'

import type { ChatChange, MessageAttachment, Room, RoomKind, RoomMember } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { createAuthProvider } from '#providers/authProvider.ts'
import { chat } from '#providers/chat/chat.ts'
import { useRoom } from '#providers/chat/useChat.ts'
import { loadMessages } from '#providers/i18nProvider.ts'
import { live } from '#providers/live.ts'
import { createApplication } from '#src/app/application.tsx'
import { NewChatForm } from '#src/chat/form/NewChatForm.tsx'
import { InfoPanel } from '#src/chat/info/InfoPanel.tsx'
import { Toasts } from '#src/kit/feedback/Toasts.tsx'
import { Themed } from '#src/kit/theme/Themed.tsx'

import { API, aUser, FakeSocket, server } from './client.tsx'

await loadMessages()

const DAY = 86_400_000
export const me = aUser()
let made = 0

export function aPerson(changes: Partial<NamedPerson> = {}): NamedPerson {
  const number = ++made
  return {
    uuid: crypto.randomUUID(),
    email: `person${number}@demo.example`,
    firstName: `Person${String.fromCharCode(64 + number)}`,
    lastName: 'Known',
    department: null,
    role: 'USER',
    type: 'INTERNAL',
    active: true,
    profileImageUrl: null,
    ...changes,
  }
}
export function aMember(
  changes: Partial<NamedPerson> & { role_in_room?: RoomMember['channel_role'] } = {},
): RoomMember {
  const { role_in_room: channel_role = 'member', ...named } = changes
  const person = aPerson(named)
  return {
    ...person,
    user_id: person.uuid,
    fullName: fullName(person),
    channel_role,
    isOwner: channel_role === 'owner',
    isAdmin: channel_role !== 'member',
    readSequence: 0,
  }
}
/** The signed-in person in a room. */
export const myself = (role_in_room: RoomMember['channel_role']): RoomMember =>
  aMember({ uuid: me.uuid, email: me.email, firstName: 'Ada', lastName: 'Lovelace', role_in_room })

export function aRoom(changes: Partial<Room> & { my?: Partial<Room['membership']> } = {}): Room {
  const { my, ...others } = changes
  const id = others.id ?? crypto.randomUUID()
  const kind = others.kind ?? 'WAR_ROOM'
  const at = new Date(Date.now() - DAY).toISOString()
  return {
    id,
    cid: `team:${id}`,
    type: kind === 'DIRECT_MESSAGE' ? 'messaging' : 'team',
    kind,
    name: kind === 'DIRECT_MESSAGE' ? null : 'Flood',
    description: null,
    isWarRoom: kind === 'WAR_ROOM',
    isHeadquarters: false,
    privileged: false,
    privilegedStatus: null,
    sequence: 3,
    last_message_at: at,
    created_at: at,
    updated_at: at,
    member_count: 2,
    callDetails: null,
    version: 1,
    membership: { role: 'owner', readSequence: 3, unread: 0, hidden: false, created_at: at, ...my },
    othersReadSequence: 0,
    incidentId: null,
    isArchived: false,
    people: [],
    ...others,
  }
}
export type ListedFile = MessageAttachment & { messageId: string; messageSequence: number; user: string }
export function aFile(title: string, messageSequence = 1): ListedFile {
  const id = crypto.randomUUID()
  const [name = '', extension = ''] = title.split('.')
  return {
    id,
    type: 'file',
    asset_url: `/fe/${id}`,
    image_url: null,
    thumb_url: null,
    title,
    fallback: title,
    name,
    extension,
    size: 12,
    mimeType: 'text/plain',
    updatedAt: new Date().toISOString(),
    messageId: crypto.randomUUID(),
    messageSequence,
    user: me.uuid,
  }
}

/** The scripted server's data of a room, which tests may change. */
export interface RoomScript {
  room: Room
  members: RoomMember[]
  files: ListedFile[]
  /** Queries for members and for files. */
  readonly asked: { members: URLSearchParams[]; files: URLSearchParams[] }
}

/** Serves part of a list, as `ra-data-simple-rest` requests it. */
function partOf<Item extends object>(request: Request, all: readonly Item[], textOf: (item: Item) => string) {
  const { searchParams } = new URL(request.url)
  const { q, userIds } = JSON.parse(searchParams.get('filter') ?? '{}') as { q?: string; userIds?: string[] }
  const [first, last] = JSON.parse(searchParams.get('range') ?? '[0,99]') as [number, number]
  const found = all
    .filter((item) => !q || textOf(item).toLowerCase().includes(q.toLowerCase()))
    .filter((item) => !userIds || userIds.includes((item as { user_id?: string }).user_id ?? ''))
  return HttpResponse.json(found.slice(first, last + 1), {
    headers: { 'Content-Range': `items ${first}-${last}/${found.length}` },
  })
}

/** Serves a room with members and files. */
export function serveRoom(room: Room, given: Partial<Omit<RoomScript, 'room' | 'asked'>> = {}): RoomScript {
  const script: RoomScript = {
    room,
    members: [myself(room.membership.role), aMember()],
    files: [],
    asked: { members: [], files: [] },
    ...given,
  }
  const base = `${API}/chat/rooms/${room.id}`
  server.use(
    http.get(base, () => HttpResponse.json(script.room)),
    http.get(`${base}/members`, ({ request }) => {
      script.asked.members.push(new URL(request.url).searchParams)
      return partOf(request, script.members, (member) => `${member.fullName} ${member.email}`)
    }),
    http.get(`${base}/files`, ({ request }) => {
      script.asked.files.push(new URL(request.url).searchParams)
      return partOf(request, script.files, ({ title }) => title)
    }),
    http.get(`${base}/pins`, () =>
      HttpResponse.json({ messages: [], people: [], hasOlder: false, hasNewer: false }),
    ),
    http.post(`${API}/chat/presence`, () => HttpResponse.json({ userIds: [me.uuid] })),
    http.get(`${API}/chat/summary`, () =>
      HttpResponse.json({ sequence: 1, unreadRooms: 0, unreadMessages: 0, warRooms: 1 }),
    ),
  )
  return script
}

/** Reports a change of the chat on the live socket. */
export function tell(change: object): void {
  const frame: Partial<ChatChange> = { type: 'chat', sequence: ++made + 100, ...change }
  FakeSocket.last!.say(frame as never)
}

function RoomPage() {
  const { id = '' } = useParams()
  const room = useRoom(id)
  const navigate = useNavigate()
  const [jumped, setJumped] = useState<number>()
  return (
    <>
      {jumped !== undefined && <output aria-label="Jumped to">{jumped}</output>}
      {room === null && <p>There is no such room.</p>}
      {room && <InfoPanel room={room} onClose={() => void navigate('/closed')} onJump={setJumped} />}
    </>
  )
}
function FormPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  return (
    <>
      <Link to="/other">Another chat</Link>
      <NewChatForm
        kind={params.get('kind') as RoomKind}
        onCreated={({ id }) => void navigate(`/made/${id}`)}
        onCancel={() => void navigate('/closed')}
      />
    </>
  )
}
function MadePage() {
  const { id = '' } = useParams()
  return <p>Made {useRoom(id)?.name ?? 'a chat'}</p>
}

const PAGES = [
  { path: '/room/:id', element: <RoomPage /> },
  { path: '/new', element: <FormPage /> },
  { path: '/made/:id', element: <MadePage /> },
  { path: '*', element: <p>Another page</p> },
]

/** Opens a room's panel, or the form of a new chat, without the page around it. */
export function openPart(path: string) {
  history.replaceState(null, '', path)
  const { router, queryClient } = createApplication({
    name: 'muster',
    apis: {},
    definitions: {},
    authProvider: createAuthProvider({}, () => Promise.resolve()),
    shell: (
      <>
        <Outlet />
        <Toasts />
      </>
    ),
    pages: PAGES,
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
  return user
}
