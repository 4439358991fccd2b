import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { CoreAdminContext } from 'react-admin'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { emoji, type Message, type MessageAttachment, type Room } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { chat } from '#providers/chat/chat.ts'
import { embedded } from '#providers/chat/embedded.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { forgetUploads } from '#providers/chat/uploads.ts'
import { usePending, useRoom, useTimeline } from '#providers/chat/useChat.ts'
import { people } from '#providers/people.ts'
import { i18nProvider, loadMessages } from '#providers/i18nProvider.ts'
import { Composer, type ComposerHandle } from '#src/chat/composer/Composer.tsx'
import { EMOJI_GROUPS } from '#src/chat/composer/emojiValues.ts'
import { MessageRow } from '#src/chat/message/MessageRow.tsx'
import { inputValueOf } from '#src/chat/message/reminderTimes.ts'
import { startEditing, stopEditing } from '#src/chat/message/useEditedMessage.ts'
import { saveFrom } from '#src/kit/browser/saveFile.ts'
import { Toasts } from '#src/kit/feedback/Toasts.tsx'
import { answer, API, aProblem, aUser, laidOut, server, signedIn } from '#tests/support/client.tsx'

vi.mock('#src/kit/browser/saveFile.ts', () => ({ saveFrom: vi.fn() }))

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const ROOM = uuid(1)
const ME = aUser()
const person = (n: number, changes: Partial<NamedPerson> = {}): NamedPerson => ({
  uuid: uuid(100 + n),
  firstName: 'Grace',
  lastName: 'Hopper',
  email: `person${n}@demo.example`,
  profileImageUrl: null,
  department: null,
  type: 'INTERNAL',
  role: 'USER',
  active: true,
  ...changes,
})
const I: NamedPerson = person(0, { uuid: ME.uuid, firstName: 'Ada', lastName: 'Lovelace', email: ME.email })
const GRACE = person(1)
const aRoom = (changes: Partial<Room> = {}): Room => ({
  id: ROOM,
  cid: `team:${ROOM}`,
  type: 'team',
  kind: 'WAR_ROOM',
  name: 'Payments down',
  description: null,
  isWarRoom: true,
  isHeadquarters: false,
  privileged: false,
  privilegedStatus: null,
  sequence: 3,
  last_message_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  member_count: 2,
  callDetails: null,
  version: 1,
  membership: {
    role: 'member',
    readSequence: 0,
    unread: 0,
    hidden: false,
    created_at: '2026-01-01T00:00:00.000Z',
  },
  othersReadSequence: 0,
  incidentId: null,
  isArchived: false,
  people: [],
  ...changes,
})
const aMessage = (sequence: number, changes: Partial<Message> = {}): Message => ({
  id: uuid(1_000 + sequence),
  roomId: ROOM,
  sequence,
  clientId: uuid(2_000 + sequence),
  text: `<p>Text ${sequence}</p>`,
  user: ME.uuid,
  created_at: new Date(Date.now() - 60_000).toISOString(),
  updated_at: new Date(Date.now() - 60_000).toISOString(),
  editedAt: null,
  deletedAt: null,
  status: 'received',
  attachments: [],
  hasAttachments: false,
  isCall: false,
  privileged: false,
  privilegedStatus: null,
  mentioned_users: [],
  replyTo: null,
  reactions: [],
  pinned: null,
  ...changes,
})
const aFile = (n: number, title = `file ${n}.pdf`): MessageAttachment => {
  const [name = '', extension = ''] = title.split('.')
  const isImage = extension === 'png'
  return {
    id: uuid(3_000 + n),
    type: isImage ? 'image' : 'file',
    asset_url: `/fe/${uuid(3_000 + n)}`,
    image_url: isImage ? `/fe/${uuid(3_000 + n)}` : null,
    thumb_url: isImage ? `/fe/${uuid(3_000 + n)}` : null,
    title,
    fallback: title,
    name,
    extension,
    size: 2_048,
    mimeType: isImage ? 'image/png' : 'application/pdf',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
}

function RoomPage({ onJump }: { onJump: (sequence: number) => void }) {
  const room = useRoom(ROOM)
  const { messages } = useTimeline(ROOM)
  const pending = usePending(ROOM)
  const composer = useRef<ComposerHandle>(null)
  const all: ChatMessage[] = [...messages, ...pending]
  const lastOwn = all.findLast(({ user }) => user === ME.uuid)
  if (!room) return null
  return (
    <>
      {all.map((message, index) => (
        <MessageRow
          key={message.clientId}
          room={room}
          message={message}
          startsGroup={index === 0}
          isLatestOwn={message === lastOwn}
          onQuote={(one) => composer.current?.reply(one)}
          onJump={onJump}
        />
      ))}
      <Composer ref={composer} room={room} onEditLast={() => lastOwn && startEditing(lastOwn.id)} />
      <Toasts />
    </>
  )
}

/** Opens a room with these messages. */
async function opened(messages: readonly Message[] = [], room: Partial<Room> = {}) {
  const sequence = messages.at(-1)?.sequence ?? 0
  answer('get', `/chat/rooms/${ROOM}`, aRoom({ sequence, ...room }))
  answer('get', `/chat/rooms/${ROOM}/messages`, {
    messages: [...messages],
    people: [I, GRACE],
    hasOlder: false,
    hasNewer: false,
  })
  const onJump = vi.fn()
  // Row actions appear on hover, which jsdom does not support.
  const user = userEvent.setup({ pointerEventsCheck: 0 })
  const { unmount } = render(
    <CoreAdminContext i18nProvider={i18nProvider}>
      <RoomPage onJump={onJump} />
    </CoreAdminContext>,
  )
  await act(() => chat.open(ROOM))
  await screen.findByRole('textbox', { name: 'Message' })
  return { user, onJump, unmount }
}
const editor = (name = 'Message') => screen.getByRole('textbox', { name })
const key = (name: string, more: object = {}) => fireEvent.keyDown(editor(), { key: name, ...more })
const paste = (text: string, field = editor()) =>
  fireEvent.paste(field, {
    clipboardData: {
      getData: (type: string) => (type === 'text/plain' ? text : ''),
      types: ['text/plain'],
      files: [],
    },
  })
const sendButton = () => screen.getByRole('button', { name: 'Send' })
const rows = () => screen.getAllByRole('article')

interface Sent {
  clientId: string
  text: string
  fileIds: string[]
  replyTo: string | null
}
/** Accepts messages, unless `reply` returns another response. */
function taking(reply: () => Response | undefined = () => undefined) {
  const sent: Sent[] = []
  server.use(
    http.post(`${API}/chat/rooms/${ROOM}/messages`, async ({ request }) => {
      const body = (await request.json()) as Sent
      const refused = reply()
      if (refused) return refused
      sent.push(body)
      const { clientId, text } = body
      return HttpResponse.json(aMessage(100 + sent.length, { clientId, text }), { status: 201 })
    }),
  )
  return sent
}
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'authorization, enterprise-code, idempotency-key, web-app-version',
}
/** Accepts files, unless `reply` returns another response or delays the upload. */
function storing(
  reply: (times: number) => Promise<Response | undefined> | Response | undefined = () => undefined,
) {
  let times = 0
  server.use(
    http.options(`${API}/*`, () => new HttpResponse(null, { status: 204, headers: CORS })),
    http.post(`${API}/fe`, async ({ request }) => {
      const name = /filename="([^"]*)"/.exec(await request.text())![1]!
      const refused = await reply(++times)
      return refused ?? HttpResponse.json(aFile(times, name), { status: 201, headers: CORS })
    }),
  )
}
const attach = (...files: File[]) =>
  fireEvent.change(document.querySelector('input[type="file"]')!, { target: { files } })

let stop = () => {}
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
beforeEach(async () => {
  stop()
  stopEditing()
  forgetUploads()
  await loadMessages()
  signedIn('USER')
  laidOut()
  URL.createObjectURL = () => 'blob:image'
  URL.revokeObjectURL = () => {}
  answer('get', '/chat/summary', { sequence: 1, unreadRooms: 0, unreadMessages: 0, warRooms: 0 })
  answer('post', `/chat/rooms/${ROOM}/typing`, undefined)
  answer('get', '/config', {
    messageHistoryEditTimeout: 15,
    maxFileSize: 100,
    allowedFileExtensions: ['PDF', 'PNG'],
  })
  stop = chat.start()
})

describe('writing', () => {
  test('a message for later is kept once although an answer was lost, and the composer is empty then', async () => {
    const { user } = await opened()
    const kept: { clientId: string; text: string; sendAt: string }[] = []
    server.use(
      http.post(`${API}/chat/rooms/${ROOM}/scheduled`, async ({ request }) => {
        const body = (await request.json()) as (typeof kept)[number]
        kept.push(body)
        if (kept.length === 1) return HttpResponse.json({ message: 'The line was lost.' }, { status: 502 })
        const { clientId: id, text, sendAt } = body
        const scheduled = { id, roomId: ROOM, text, sendAt, fileCount: 0, threadId: null, problem: null }
        return HttpResponse.json({ ...scheduled, version: 1 }, { status: 201 })
      }),
    )
    await user.type(editor(), 'For tomorrow')
    const schedule = async () => {
      await user.click(screen.getByRole('button', { name: 'Schedule for later' }))
      await user.click(await screen.findByRole('menuitem', { name: /Tomorrow at 9:00/ }))
    }
    await schedule()
    await waitFor(() => expect(kept).toHaveLength(1))
    expect(editor()).toHaveTextContent('For tomorrow')
    await schedule()
    await waitFor(() => expect(editor()).toHaveTextContent(''))
    expect(kept.map(({ text }) => text)).toEqual(['<p>For tomorrow</p>', '<p>For tomorrow</p>'])
    expect(kept[1]!.clientId).toBe(kept[0]!.clientId)
    expect(new Date(kept[0]!.sendAt).getHours()).toBe(9)
    expect(await screen.findByText(/Your message will be sent on/)).toBeInTheDocument()
  })

  test('Enter sends, Shift+Enter breaks the line, and the composer is empty again', async () => {
    const sent = taking()
    await opened()
    expect(editor()).toHaveAttribute('aria-placeholder', 'Write your message and press Enter to send...')
    expect(sendButton()).toBeDisabled()
    paste('Pumps are ')
    paste('running')
    key('Enter', { shiftKey: true })
    expect(sent).toEqual([])
    paste('again')
    key('Enter')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]!.text).toBe('<p>Pumps are running<br>again</p>')
    expect(editor()).toHaveTextContent(/^$/)
    await screen.findByText(/running/)
  })

  test('in a list Enter goes on with the list, and Ctrl+Enter sends', async () => {
    const sent = taking()
    const { user } = await opened()
    await user.click(screen.getByRole('button', { name: 'Bullet list' }))
    paste('One')
    key('Enter')
    expect(editor().querySelectorAll('li')).toHaveLength(2)
    paste('Two')
    key('Enter', { ctrlKey: true })
    await waitFor(() => expect(sent[0]?.text).toBe('<ul><li><p>One</p></li><li><p>Two</p></li></ul>'))
  })

  test('blank text is not sent', async () => {
    const sent = taking()
    await opened()
    paste('   ')
    expect(sendButton()).toBeDisabled()
    key('Enter')
    expect(sent).toEqual([])
  })

  test('the pipe cannot be typed or pasted, which is said for a moment', async () => {
    const { user } = await opened()
    await user.click(editor())
    const words = 'Sorry, the pipe | character is reserved for internal use.'
    await user.keyboard('|')
    await screen.findByText(words)
    const from = Date.now()
    await waitFor(() => expect(screen.queryByText(words)).not.toBeInTheDocument())
    expect(Date.now() - from).toBeGreaterThan(1_000)
    expect(editor()).toHaveTextContent(/^$/)
    paste('a|b||c')
    expect(editor()).toHaveTextContent(/^abc$/)
    expect(screen.getByText(words)).toBeInTheDocument()
  })

  test('code keeps its pipes, and a pasted text with pipes is offered as code', async () => {
    const sent = taking()
    const { user } = await opened()
    paste('cat x | grep y')
    expect(editor()).toHaveTextContent(/^cat x grep y$/)
    await user.click(await screen.findByRole('button', { name: 'Paste as code' }))
    expect(editor().querySelector('code')).toHaveTextContent('cat x | grep y')
    expect(screen.queryByRole('button', { name: 'Paste as code' })).not.toBeInTheDocument()
    await user.click(sendButton())
    await waitFor(() => expect(sent[0]?.text).toBe('<p><code>cat x | grep y</code></p>'))
  })

  test('three ticks, a language and Enter open a block of code', async () => {
    const sent = taking()
    const { user } = await opened()
    await user.click(editor())
    await user.keyboard('```sh')
    key('Enter')
    expect(editor().querySelector('pre')).toBeInTheDocument()
    expect(sent).toEqual([])
    paste('a |\n  b')
    key('Enter', { ctrlKey: true })
    await waitFor(() => expect(sent[0]?.text).toMatch(/^<pre><code[^>]*>a \|\n {2}b<\/code><\/pre>$/))
  })

  test('a picture copied in a browser, with its HTML, is attached', async () => {
    storing()
    await opened()
    const picture = new File(['x'], 'image.png', { type: 'image/png' })
    const html = '<meta charset="utf-8"><img src="https://example.org/a.png">'
    fireEvent.paste(editor(), {
      clipboardData: {
        getData: (type: string) => (type === 'text/html' ? html : ''),
        types: ['text/html', 'Files'],
        files: [picture],
      },
    })
    expect(await screen.findByText('image.png')).toBeVisible()
    expect(editor()).toHaveTextContent(/^$/)
  })

  test('at 5,000 characters nothing is sent, and a toast says so', async () => {
    const sent = taking()
    await opened()
    paste('x'.repeat(4_999))
    expect(sendButton()).toBeEnabled()
    paste('x')
    expect(sendButton()).toBeDisabled()
    await screen.findByText('A message can have at most 4999 characters.')
    key('Enter')
    expect(sent).toEqual([])
  })

  test('arrow up in an empty composer edits the last own message', async () => {
    await opened([aMessage(1)])
    key('ArrowUp')
    expect(await screen.findByRole('textbox', { name: 'Edited message' })).toHaveTextContent('Text 1')
  })

  test('a draft with its files waits in the room', async () => {
    storing()
    await opened()
    paste('Half a thought')
    attach(new File(['x'], 'plan.pdf'))
    await screen.findByText('1 byte')
    document.body.innerHTML = ''
    // Opens the page again.
    await new Promise((resolve) => setTimeout(resolve, 400))
    await opened()
    expect(editor()).toHaveTextContent('Half a thought')
    expect(screen.getByText('plan.pdf')).toBeInTheDocument()
    expect(sendButton()).toBeEnabled()
  })

  test('the others are told of typing, seldom', async () => {
    let told = 0
    server.use(
      http.post(`${API}/chat/rooms/${ROOM}/typing`, () => {
        told++
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await opened()
    paste('a')
    paste('b')
    await waitFor(() => expect(told).toBe(1))
  })
})

describe('mentions', () => {
  const membersAre = (members: readonly NamedPerson[]) => {
    const asked: unknown[] = []
    server.use(
      http.get(`${API}/chat/rooms/${ROOM}/members`, ({ request }) => {
        asked.push(JSON.parse(new URL(request.url).searchParams.get('filter')!))
        const items = members.map((one) => ({
          ...one,
          user_id: one.uuid,
          fullName: `${one.firstName} ${one.lastName}`,
          channel_role: 'member',
          isOwner: false,
          isAdmin: false,
          readSequence: 0,
        }))
        return HttpResponse.json(items, {
          headers: { 'Content-Range': `items 0-${items.length}/${items.length}` },
        })
      }),
    )
    answer('get', `/chat/rooms/${ROOM}/groups`, [])
    return asked
  }

  test('are suggested without oneself, chosen by keyboard and sent by address', async () => {
    const sent = taking()
    const asked = membersAre([I, GRACE, person(2, { firstName: 'Gray', lastName: 'Scale' })])
    await opened()
    paste('Dear @gra')
    const list = await screen.findByRole('listbox', { name: 'People to mention' })
    expect(within(list).getAllByRole('option')).toHaveLength(2)
    expect(asked).toEqual([{ q: 'gra', active: true }])
    key('ArrowDown')
    expect(editor()).toHaveAttribute(
      'aria-activedescendant',
      screen.getByRole('option', { selected: true }).id,
    )
    key('ArrowUp')
    key('Enter')
    expect(editor()).toHaveTextContent('Dear @Grace Hopper')
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
    paste('look')
    key('Enter')
    await waitFor(() => expect(sent[0]?.text).toBe('<p>Dear @person1@demo.example look</p>'))
    expect(await within(rows()[0]!).findByText('Grace Hopper')).toBeInTheDocument()
  })

  test('Enter before the suggestions mentions the only person, leaves several to the list, and sends without any', async () => {
    const sent = taking()
    const gray = person(2, { firstName: 'Gray', lastName: 'Scale' })
    membersAre([I, GRACE])
    await opened()
    paste('@Grace')
    key('Enter')
    await waitFor(() => expect(editor()).toHaveTextContent('@Grace Hopper'))
    membersAre([GRACE, gray])
    paste('@gra')
    key('Enter')
    expect(await screen.findAllByRole('option')).toHaveLength(2)
    expect(sent).toEqual([])
    membersAre([])
    paste('y, be @home')
    key('Enter')
    await waitFor(() => expect(sent[0]?.text).toBe('<p>@person1@demo.example @gray, be @home</p>'))
  })

  test('reach everybody online and groups by their handles, which the text keeps', async () => {
    const sent = taking()
    membersAre([])
    answer('get', `/chat/rooms/${ROOM}/groups`, [{ handle: 'crisis-team', name: 'Crisis Team', count: 3 }])
    await opened([aMessage(1, { text: '<p>@here and @nobody</p>', audiences: ['here'] })])
    expect(within(rows()[0]!).getByText('@here')).toBeInTheDocument()
    expect(within(rows()[0]!).queryByText('@nobody')).not.toBeInTheDocument()
    paste('@h')
    const here = await screen.findByRole('option', { name: /@here.*online now/ })
    expect(here).toHaveAttribute('aria-selected', 'true')
    expect(screen.getByRole('option', { name: /@crisis-team.*3 people/ })).toBeInTheDocument()
    key('Enter')
    paste('and @cri')
    await screen.findByRole('option', { name: /@crisis-team/ })
    await waitFor(() => expect(screen.queryByRole('option', { name: /@here/ })).not.toBeInTheDocument())
    key('Enter')
    paste('come')
    key('Enter')
    await waitFor(() => expect(sent[0]?.text).toBe('<p>@here and @crisis-team come</p>'))
  })

  test('of everybody online ask once in a room of more than 50 people', async () => {
    const sent = taking()
    membersAre([])
    const { user } = await opened([], { member_count: 51 })
    paste('Come, @here')
    await user.click(sendButton())
    const dialog = await screen.findByRole('dialog', { name: 'Notify everybody online?' })
    expect(dialog).toHaveTextContent('51 members')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(sent).toEqual([])
    expect(editor()).toHaveTextContent('Come, @here')
    await user.click(sendButton())
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['<p>Come, @here</p>']))
    expect(editor()).toHaveTextContent('')
  })

  test('of everybody online are sent at once in a room of 50 people', async () => {
    const sent = taking()
    membersAre([])
    const { user } = await opened([], { member_count: 50 })
    paste('Come, @here')
    await user.click(sendButton())
    await waitFor(() => expect(sent).toHaveLength(1))
  })

  test('are asked for 350 ms after the last key', async () => {
    const asked = membersAre([GRACE])
    await opened()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    paste('@g')
    await wait(349)
    paste('r')
    await wait(349)
    expect(asked).toEqual([])
    await wait(1)
    await vi.waitFor(() => expect(asked).toEqual([{ q: 'gr', active: true }]))
    vi.useRealTimers()
    expect(await screen.findByRole('option', { name: /Grace Hopper/ })).toBeInTheDocument()
  })

  test('are 50 at most, and of a query of 1 to 75 characters', async () => {
    const asked = membersAre(Array.from({ length: 60 }, (_, n) => person(n + 1)))
    await opened()
    paste(`@${'x'.repeat(76)}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(asked).toEqual([])
    paste(' @a')
    await screen.findByRole('listbox')
    expect(screen.getAllByRole('option')).toHaveLength(50)
    key('Escape')
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  })
})

describe('files', () => {
  test('block sending while they are uploaded, fail and are uploaded again', async () => {
    const sent = taking()
    const first = Promise.withResolvers<Response>()
    storing((times) => (times === 1 ? first.promise : undefined))
    const { user } = await opened()
    paste('See the plan')
    attach(new File(['x'], 'plan.pdf'))
    await screen.findByRole('progressbar', { name: 'Upload of “plan.pdf”' })
    expect(sendButton()).toBeDisabled()
    key('Enter')
    expect(sent).toEqual([])
    first.resolve(
      HttpResponse.json(aProblem('The organization has no room left for files.'), {
        status: 409,
        headers: CORS,
      }),
    )
    await screen.findByText('The organization has no room left for files.')
    expect(sendButton()).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Retry the upload of “plan.pdf”' }))
    await waitFor(() => expect(sendButton()).toBeEnabled())
    await user.click(sendButton())
    await waitFor(() => expect(sent[0]?.fileIds).toEqual([uuid(3_002)]))
    expect(screen.queryByRole('list', { name: 'Files to be sent' })).not.toBeInTheDocument()
  })

  test('are uploaded further while another room is shown, and are there on return with the reply', async () => {
    const sent = taking()
    const first = Promise.withResolvers<undefined>()
    storing(() => first.promise)
    const quoted = aMessage(1, { user: GRACE.uuid })
    const { user, unmount } = await opened([quoted])
    await user.hover(rows()[0]!)
    await user.click(await within(rows()[0]!).findByRole('button', { name: 'Reply' }))
    attach(new File(['x'], 'plan.pdf'))
    await screen.findByRole('progressbar', { name: 'Upload of “plan.pdf”' })
    unmount()
    await opened([quoted])
    expect(screen.getByRole('group', { name: 'Reply to Grace Hopper' })).toHaveTextContent('Text 1')
    expect(screen.getByRole('progressbar', { name: 'Upload of “plan.pdf”' })).toBeVisible()
    expect(sendButton()).toBeDisabled()
    first.resolve(undefined)
    await waitFor(() => expect(sendButton()).toBeEnabled())
    await user.click(sendButton())
    await waitFor(() => expect(sent).toMatchObject([{ fileIds: [uuid(3_001)], replyTo: quoted.id }]))
  })

  test('whose upload ends while another room is shown are in the draft', async () => {
    const first = Promise.withResolvers<undefined>()
    storing(() => first.promise)
    const { unmount } = await opened()
    attach(new File(['x'], 'plan.pdf'))
    await screen.findByRole('progressbar', { name: 'Upload of “plan.pdf”' })
    unmount()
    first.resolve(undefined)
    await waitFor(() => expect(Object.values(localStorage).join()).toContain(uuid(3_001)))
    // After a reload, only the draft is left.
    forgetUploads()
    await opened()
    await waitFor(() => expect(sendButton()).toBeEnabled())
    expect(screen.getByRole('list', { name: 'Files to be sent' })).toHaveTextContent('plan.pdf')
  })

  test('are refused by type and size, and counted', async () => {
    storing()
    await opened()
    const words = 'One or more files are unsupported types or exceed the 100 MB limit.'
    attach(new File(['x'], 'virus.exe'))
    await screen.findByText(words)
    expect(screen.queryByRole('list', { name: 'Files to be sent' })).not.toBeInTheDocument()
    const large = new File(['x'], 'film.pdf')
    Object.defineProperty(large, 'size', { value: 106_000_000 })
    attach(large)
    await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2))
    attach(...Array.from({ length: 11 }, (_, n) => new File(['x'], `f${n}.pdf`)))
    await screen.findByText('A message can carry at most 10 files.')
    expect(await screen.findAllByRole('button', { name: /^Remove/ })).toHaveLength(10)
    expect(screen.getByRole('button', { name: 'Attach files' })).toBeDisabled()
  })

  test('are dropped anywhere on the page', async () => {
    storing()
    await opened()
    const dataTransfer = { types: ['Files'], files: [new File(['x'], 'plan.pdf')] }
    fireEvent.dragEnter(document.body, { dataTransfer })
    expect(screen.getByText('Drag and drop files here.')).toBeInTheDocument()
    fireEvent.dragLeave(document.body, { dataTransfer, relatedTarget: null })
    expect(screen.queryByText('Drag and drop files here.')).not.toBeInTheDocument()
    fireEvent.dragEnter(document.body, { dataTransfer })
    fireEvent.drop(document.body, { dataTransfer })
    expect(screen.queryByText('Drag and drop files here.')).not.toBeInTheDocument()
    await screen.findByText('plan.pdf')
  })

  test('are shown as images or rows, and one that is gone can be removed by its sender', async () => {
    const files = [aFile(1, 'pump.png'), aFile(2, 'gone.png'), aFile(3)]
    let edited: unknown
    server.use(
      http.get(`${API}/fe/${uuid(3_001)}`, () => new HttpResponse('bytes')),
      http.get(`${API}/fe/${uuid(3_002)}`, () =>
        HttpResponse.json(aProblem('This file does not exist.'), { status: 404 }),
      ),
      http.post(`${API}/fe/${uuid(3_003)}/download`, () =>
        HttpResponse.json({ path: '/fe/content/ticket', expireTimestamp: '2026-01-01T00:01:00.000Z' }),
      ),
      http.patch(`${API}/chat/messages/${uuid(1_001)}`, async ({ request }) => {
        edited = await request.json()
        return HttpResponse.json(aMessage(1, { attachments: [files[0]!, files[2]!] }))
      }),
    )
    const { user } = await opened([
      aMessage(1, { attachments: files, hasAttachments: true }),
      aMessage(2, { user: GRACE.uuid, attachments: [files[1]!], hasAttachments: true }),
    ])
    const [mine, hers] = rows()
    expect(await within(mine!).findByRole('img', { name: 'pump.png' })).toHaveStyle({ height: '100%' })
    await within(hers!).findByText('File not found.')
    expect(within(hers!).queryByText('Click to remove.')).not.toBeInTheDocument()
    await user.click(within(mine!).getByRole('button', { name: 'Download “file 3.pdf”' }))
    await waitFor(() => expect(saveFrom).toHaveBeenCalledExactlyOnceWith(`${API}/fe/content/ticket`))
    await user.click(within(mine!).getByRole('button', { name: 'Open image “pump.png”' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'pump.png' }))
    expect(dialog.getByText('1 of 2')).toBeInTheDocument()
    await user.keyboard('{Escape}')
    await user.click(
      await within(rows()[0]!).findByRole('button', { name: 'Click to remove.', hidden: true }),
    )
    await waitFor(() =>
      expect(edited).toEqual({ text: '<p>Text 1</p>', fileIds: [uuid(3_001), uuid(3_003)] }),
    )
    await waitFor(() => expect(within(mine!).queryByText('File not found.')).not.toBeInTheDocument())
  })

  test('are shown where their format can be, with the way to the next file of the message', async () => {
    server.use(
      http.get(`${API}/fe/${uuid(3_001)}`, () => new HttpResponse('Water in hall 3.')),
      http.get(`${API}/fe/${uuid(3_002)}`, () => new HttpResponse('Close the gate.')),
    )
    const { user } = await opened([
      aMessage(1, {
        attachments: [aFile(1, 'log.txt'), aFile(2, 'orders.txt'), aFile(3, 'slides.pptx')],
        hasAttachments: true,
      }),
    ])
    const mine = within(rows()[0]!)
    expect(mine.queryByRole('button', { name: 'Open “slides.pptx”' })).toBeNull()
    await user.click(mine.getByRole('button', { name: 'Open “log.txt”' }))
    const first = within(await screen.findByRole('dialog', { name: 'log.txt' }))
    expect(await first.findByText('Water in hall 3.')).toBeVisible()
    await user.keyboard('{ArrowRight}')
    const second = within(await screen.findByRole('dialog', { name: 'orders.txt' }))
    expect(await second.findByText('Close the gate.')).toBeVisible()
    expect(second.getByRole('button', { name: 'Next file' })).toBeDisabled()
  })

  test('are shown as PDF where our server converts them, and not where another service keeps them', async () => {
    answer('get', '/config', { allowedFileExtensions: ['PPTX'], convertsOffice: true })
    const messages = [aMessage(1, { attachments: [aFile(1, 'slides.pptx')], hasAttachments: true })]
    await opened(messages)
    const name = 'Open “slides.pptx”'
    expect(await within(rows()[0]!).findByRole('button', { name })).toBeVisible()
    cleanup()
    vi.spyOn(chat, 'provider', 'get').mockReturnValue({ ...embedded, lacks: new Set(['convertFiles']) })
    await opened(messages)
    expect(await within(rows()[0]!).findByRole('button', { name: /^Download/ })).toBeVisible()
    expect(within(rows()[0]!).queryByRole('button', { name })).toBeNull()
  })
})

describe('a message', () => {
  test('that fails can be sent again, once', async () => {
    let broken = true
    const sent = taking(() => (broken ? HttpResponse.json(aProblem('Not now.'), { status: 409 }) : undefined))
    const { user } = await opened()
    paste('Are you safe?')
    key('Enter')
    const row = within((await screen.findByText('Are you safe?')).closest('article')!)
    await row.findByText(/^\(Failed to send\. Hover to reveal the retry button\.\)/)
    expect(row.getByText(/Not now\./)).toBeInTheDocument()
    broken = false
    await user.click(row.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument())
    expect(screen.getAllByText('Are you safe?')).toHaveLength(1)
  })

  test('shows how far the latest own one has come', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await opened([aMessage(1), aMessage(2)], { othersReadSequence: 1 })
    expect(within(rows()[0]!).queryByText('Sent')).not.toBeInTheDocument()
    expect(within(rows()[1]!).getByText('Sent')).toBeInTheDocument()
    server.use(
      http.post(`${API}/chat/rooms/${ROOM}/messages`, async ({ request }) => {
        const { clientId } = (await request.json()) as Sent
        await promise
        return HttpResponse.json(aMessage(3, { clientId }), { status: 201 })
      }),
    )
    paste('Text 3')
    key('Enter')
    expect(within(rows()[2]!).getByText('Sending')).toBeInTheDocument()
    resolve()
    expect(await within(rows()[2]!).findByText('Sent')).toBeInTheDocument()
  })

  test('names who has read it, the first ten', async () => {
    const people = Array.from({ length: 12 }, (_, n) => person(n + 1, { firstName: `Reader ${n + 1}` }))
    answer('get', `/chat/messages/${uuid(1_001)}/readers`, { people, total: 12 })
    const { user } = await opened([aMessage(1)], { othersReadSequence: 1 })
    await user.hover(screen.getByRole('button', { name: 'Read by' }))
    await screen.findByText('And 2 others...')
    expect(screen.getByText('Reader 10 Hopper')).toBeInTheDocument()
    expect(screen.queryByText('Reader 11 Hopper')).not.toBeInTheDocument()
  })

  test('offers only what this person may do with it', async () => {
    const old = new Date(Date.now() - 16 * 60_000).toISOString()
    const { user } = await opened([
      aMessage(1),
      aMessage(2, { created_at: old }),
      aMessage(3, { user: GRACE.uuid }),
      aMessage(4, { user: GRACE.uuid, deletedAt: old, text: '' }),
    ])
    const actsOf = async (row: HTMLElement) => {
      await user.click(within(row).getByRole('button', { name: 'More actions' }))
      const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
      await user.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument())
      return names
    }
    const [mine, older, hers, deleted] = rows()
    expect(await actsOf(mine!)).toEqual([
      'Add reaction',
      'Reply',
      'Edit',
      'Add to Incident',
      'Ask for confirmation',
      'Save',
      'Remind me…',
      'Mark unread from here',
      'Copy link',
      'Delete',
    ])
    expect(await actsOf(older!)).toEqual([
      'Add reaction',
      'Reply',
      'Add to Incident',
      'Ask for confirmation',
      'Save',
      'Remind me…',
      'Mark unread from here',
      'Copy link',
      'Delete',
    ])
    expect(await actsOf(hers!)).toEqual([
      'Add reaction',
      'Reply',
      'Add to Incident',
      'Save',
      'Remind me…',
      'Mark unread from here',
      'Copy link',
    ])
    expect(within(deleted!).getByText('This message was deleted.')).toBeInTheDocument()
    expect(within(deleted!).queryByRole('button')).not.toBeInTheDocument()
  })

  test('is reached by arrow keys, and acted upon by the keys that its menu shows', async () => {
    const { user } = await opened([aMessage(1)])
    const more = within(rows()[0]!).getByRole('button', { name: 'More actions' })
    act(() => more.focus())
    await within(rows()[0]!).findByRole('button', { name: 'Reply' })
    await user.keyboard('{Control>}r{/Control}')
    expect(screen.queryByRole('group', { name: /Reply to/ })).not.toBeInTheDocument()
    await user.keyboard('r')
    expect(await screen.findByRole('group', { name: /Reply to/ })).toBeInTheDocument()
    expect(editor()).toHaveTextContent('')
    // The editor takes the focus with the next frame, which may be after the menu has opened.
    await waitFor(() => expect(editor()).toHaveFocus())
    await user.click(more)
    const edit = await screen.findByRole('menuitem', { name: 'Edit' })
    expect(edit).toHaveAttribute('aria-keyshortcuts', 'e')
    await user.keyboard('e')
    expect(await screen.findByRole('textbox', { name: 'Edited message' })).toHaveTextContent('Text 1')
  })

  test('opens its menu by a long press', async () => {
    await opened([aMessage(1)])
    fireEvent.touchStart(rows()[0]!, { touches: [{ clientX: 5, clientY: 5 }] })
    expect(await screen.findByRole('menuitem', { name: 'Reply' })).toBeInTheDocument()
  })

  test('offers no part in an incident where the chat service has none', async () => {
    vi.spyOn(chat, 'provider', 'get').mockReturnValue({
      ...embedded,
      lacks: new Set(['addToIncident', 'saved', 'unreadFrom']),
    })
    const { user } = await opened([aMessage(1, { user: GRACE.uuid })])
    await user.click(within(rows()[0]!).getByRole('button', { name: 'More actions' }))
    const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(names).toEqual(['Add reaction', 'Reply', 'Copy link'])
  })

  test('is asked to be confirmed from its menu, and says below it how many have', async () => {
    const asked: unknown[] = []
    const request = {
      id: uuid(900),
      messageId: uuid(1_001),
      activityId: null,
      createdById: ME.uuid,
      createTimestamp: '2026-01-01T00:00:00.000Z',
      askedCount: 2,
      confirmedCount: 1,
      isAsked: false,
      confirmTimestamp: null,
      canRemind: true,
    }
    server.use(
      http.get(`${API}/confirmation`, () => HttpResponse.json(asked.length > 0 ? [request] : [])),
      http.post(`${API}/confirmation`, async ({ request: sent }) => {
        asked.push(await sent.json())
        return HttpResponse.json(request, { status: 201 })
      }),
    )
    const { user } = await opened([aMessage(1)])
    await user.click(within(rows()[0]!).getByRole('button', { name: 'More actions' }))
    await user.click(screen.getByRole('menuitem', { name: 'Ask for confirmation' }))
    const bar = await within(rows()[0]!).findByRole('group', { name: 'Confirmation' })
    expect(within(bar).getByRole('button', { name: '1 of 2 confirmed' })).toBeVisible()
    expect(within(bar).queryByRole('button', { name: 'I have read this' })).not.toBeInTheDocument()
    expect(asked).toEqual([{ subject: 'MESSAGE', id: uuid(1_001) }])
  })

  test('is saved and marked so, reminded of, and no longer saved', async () => {
    const saved: unknown[] = []
    server.use(
      http.put(`${API}/chat/messages/${uuid(1_001)}/saved`, async ({ request }) => {
        const body = (await request.json()) as { remindAt?: string }
        saved.push(body)
        const { remindAt = null } = body
        return HttpResponse.json({ messageId: uuid(1_001), savedAt: new Date().toISOString(), remindAt })
      }),
      http.delete(`${API}/chat/messages/${uuid(1_001)}/saved`, () => {
        saved.push('removed')
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = await opened([aMessage(1)])
    const choose = async (name: string) => {
      await user.click(within(rows()[0]!).getByRole('button', { name: 'More actions' }))
      await user.click(await screen.findByRole('menuitem', { name }))
    }
    await choose('Save')
    expect(await within(rows()[0]!).findByText('Saved')).toBeInTheDocument()
    await choose('Remind me…')
    let dialog = await screen.findByRole('dialog', { name: 'When to remind you?' })
    const before = Date.now()
    await user.click(within(dialog).getByRole('button', { name: /In 1 hour/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const { remindAt } = saved[1] as { remindAt: string }
    expect(Math.abs(Date.parse(remindAt) - before - 3_600_000)).toBeLessThan(60_000)
    await choose('Remind me…')
    dialog = await screen.findByRole('dialog', { name: 'When to remind you?' })
    const field = within(dialog).getByLabelText('At another time')
    fireEvent.change(field, { target: { value: '2020-01-01T09:00' } })
    await user.click(within(dialog).getByRole('button', { name: 'Remind me' }))
    expect((await within(dialog).findAllByText('Please choose a time in the future.'))[0]).toBeVisible()
    fireEvent.change(field, { target: { value: inputValueOf(before + 86_400_000) } })
    await user.click(within(dialog).getByRole('button', { name: 'Remind me' }))
    await waitFor(() => expect(saved).toHaveLength(3))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await choose('Remove from saved')
    await waitFor(() => expect(within(rows()[0]!).queryByText('Saved')).not.toBeInTheDocument())
    expect(saved[3]).toBe('removed')
  })

  test('is edited in its place, and what was typed stays when it is refused', async () => {
    let refused = true
    server.use(
      http.patch(`${API}/chat/messages/${uuid(1_001)}`, async ({ request }) => {
        const { text } = (await request.json()) as { text: string }
        return refused
          ? HttpResponse.json(aProblem('This message can no longer be edited.'), { status: 409 })
          : HttpResponse.json(aMessage(1, { text, editedAt: new Date().toISOString() }))
      }),
    )
    const { user } = await opened([aMessage(1)])
    await user.hover(rows()[0]!)
    await user.click(within(rows()[0]!).getByRole('button', { name: 'Edit' }))
    const field = await screen.findByRole('textbox', { name: 'Edited message' })
    expect(field).toHaveAttribute('aria-placeholder', 'Edit the message and press Enter to submit...')
    paste(' and more', field)
    fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText('This message can no longer be edited.')
    expect(field).toHaveTextContent('Text 1 and more')
    refused = false
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await screen.findByText('(edited)')
    expect(within(rows()[0]!).getByText('Text 1 and more')).toBeInTheDocument()
  })

  test('stays when editing is left with Escape, and cannot be emptied', async () => {
    await opened([aMessage(1, { text: '<p></p>' })])
    act(() => startEditing(uuid(1_001)))
    const field = await screen.findByRole('textbox', { name: 'Edited message' })
    expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled()
    fireEvent.keyDown(field, { key: 'Escape' })
    await waitFor(() => expect(field).not.toBeInTheDocument())
  })

  test('says how long ago it was written, and looks at the clock every 30 s', async () => {
    const begin = Date.UTC(2026, 2, 12, 14)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true, now: begin })
    await opened([aMessage(1, { created_at: new Date(begin - 45_000).toISOString() })])
    const time = within(rows()[0]!).getByTitle(/Mar 12, 2026/)
    const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' }).format(begin - 45_000)
    const after = (ms: number) => {
      act(() => void vi.advanceTimersByTime(begin + ms - Date.now()))
      return time.textContent
    }
    expect(after(29_999)).toBe(`${clock} · just now`)
    expect(after(30_000)).toBe(`${clock} · 1 min. ago`)
    expect(after(89_999)).toBe(`${clock} · 1 min. ago`)
    expect(after(90_000)).toBe(`${clock} · 2 min. ago`)
  })

  test('has the name “User loading...” until its author is known, and “Former Member” where nobody is', async () => {
    await opened([aMessage(1, { user: GRACE.uuid }), aMessage(2, { user: uuid(900) })])
    // No response has ever named the author of the second message.
    expect(rows()[1]!).toHaveAccessibleName('Former Member')
    const asked = Promise.withResolvers<undefined>()
    server.use(
      http.get(`${API}/authentication/users/named`, async () => {
        await asked.promise
        return HttpResponse.json({ people: [] })
      }),
    )
    // The page has forgotten Grace and requests her again.
    act(() => {
      people.start()()
      chat.learn([person(7)])
    })
    await waitFor(() => expect(rows()[0]!).toHaveAccessibleName('User loading...'))
    asked.resolve(undefined)
    await waitFor(() => expect(rows()[0]!).toHaveAccessibleName('Former Member'))
  })

  test('is left as it is by the Cancel button of its editor', async () => {
    const { user } = await opened([aMessage(1)])
    act(() => startEditing(uuid(1_001)))
    const field = await screen.findByRole('textbox', { name: 'Edited message' })
    paste(' and more', field)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(field).not.toBeInTheDocument())
    expect(rows()[0]!).toHaveTextContent('Text 1')
    expect(rows()[0]!).not.toHaveTextContent('and more')
  })

  test.each([
    [1, '150px'],
    [2, '100px'],
  ])('with %i images shows them %s high', async (count, height) => {
    server.use(http.get(`${API}/fe/:id`, () => new HttpResponse('bytes')))
    const attachments = Array.from({ length: count }, (_, n) => aFile(n + 1, `pump${n}.png`))
    await opened([aMessage(1, { attachments, hasAttachments: true })])
    const previews = await screen.findAllByRole('button', { name: /^Open image/ })
    expect(previews).toHaveLength(count)
    for (const preview of previews) expect(preview).toHaveStyle({ height })
  })

  test('is answered with a quotation that leads to it', async () => {
    const sent = taking()
    const quoted = aMessage(1, { user: GRACE.uuid })
    const { id, sequence, text } = quoted
    const replyTo = { id, sequence, user: GRACE.uuid, text, deleted: false, hasAttachments: false }
    const { user, onJump } = await opened([quoted, aMessage(2, { replyTo })])
    await user.click(within(rows()[1]!).getByRole('button', { name: /^Grace Hopper/ }))
    expect(onJump).toHaveBeenCalledWith(1, uuid(1_001))
    await user.hover(rows()[0]!)
    await user.click(await within(rows()[0]!).findByRole('button', { name: 'Reply' }))
    expect(screen.getByRole('group', { name: 'Reply to Grace Hopper' })).toHaveTextContent('Text 1')
    paste('Yes')
    key('Enter')
    await waitFor(() => expect(sent[0]?.replyTo).toBe(quoted.id))
    expect(screen.queryByRole('group', { name: 'Reply to Grace Hopper' })).not.toBeInTheDocument()
  })

  test('shows links and mentions, and nothing that acts', async () => {
    await opened([
      aMessage(1, {
        text: `<p>www.example.org, https://muster.example/x javascript:alert(1) @${ME.email} @nobody@x.example</p>`,
      }),
    ])
    const row = within(rows()[0]!)
    expect(row.getByRole('link', { name: 'www.example.org' })).toHaveAttribute(
      'href',
      'https://www.example.org',
    )
    const [, second] = row.getAllByRole('link')
    expect(second).toHaveAttribute('rel', expect.stringContaining('noopener'))
    expect(row.getAllByRole('link')).toHaveLength(2)
    expect(row.getByTitle(ME.email)).toHaveTextContent('@Ada Lovelace')
    expect(await row.findByText(/@nobody@x\.example/)).toBeInTheDocument()
  })

  test('is given and loses reactions', async () => {
    const acts: string[] = []
    const reply = (method: string) => (userIds: string[]) => {
      acts.push(method)
      return HttpResponse.json(
        aMessage(1, { reactions: userIds.length > 0 ? [{ emoji: '👍', userIds }] : [] }),
      )
    }
    server.use(
      http.put(`${API}/chat/messages/:id/reactions/:emoji`, () => reply('put')([GRACE.uuid, ME.uuid])),
      http.delete(`${API}/chat/messages/:id/reactions/:emoji`, () => reply('delete')([GRACE.uuid])),
    )
    const { user } = await opened([aMessage(1, { reactions: [{ emoji: '👍', userIds: [GRACE.uuid] }] })])
    await user.click(screen.getByRole('button', { name: '👍, Grace Hopper' }))
    await user.click(await screen.findByRole('button', { name: '👍, You, Grace Hopper', pressed: true }))
    await screen.findByRole('button', { name: '👍, Grace Hopper', pressed: false })
    expect(acts).toEqual(['put', 'delete'])
  })

  test('is deleted after asking', async () => {
    let deleted = false
    server.use(
      http.delete(`${API}/chat/messages/${uuid(1_001)}`, () => {
        deleted = true
        return new HttpResponse(null, { status: 204 })
      }),
    )
    answer('get', `/chat/messages/${uuid(1_001)}`, {
      message: aMessage(1, { text: '', deletedAt: new Date().toISOString() }),
      people: [],
    })
    const { user } = await opened([aMessage(1)])
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete message?' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('This message was deleted.')
    expect(deleted).toBe(true)
  })
})

test('every emoji of the picker can be a reaction', () => {
  const [work, ...groups] = EMOJI_GROUPS
  const all = groups.flatMap((group) => group.emoji)
  expect(all.length).toBeGreaterThan(1_800)
  expect(all.filter((one) => !emoji.safeParse(one).success)).toEqual([])
  expect(new Set(all).size).toBe(all.length)
  expect(work!.emoji.filter((one) => !all.includes(one))).toEqual([])
})
