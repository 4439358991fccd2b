import { http, HttpResponse } from 'msw'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import type { NamedPerson } from '#contract/users/schema.ts'
import { API, server, signedIn } from '#tests/support/client.tsx'
import { aPerson, uuidOf } from '#tests/support/client-chat.ts'

import { getSession } from '../../session.ts'
import { HostedChat } from './hosted.ts'
import { HostedService } from './service.ts'
import type { WireEvent, WireMessage, WireState } from './wire.ts'

const ROOM = uuidOf(1)
const CID = `team:${ROOM}`
const [ana, ben] = [aPerson(2), aPerson(3)]
const aMessage = (id: string, second: number, more: Partial<WireMessage> = {}): WireMessage => ({
  id,
  cid: CID,
  user: { id: ana.uuid, person: ana },
  text: 'Hello',
  richText: '<p>Hello</p>',
  created_at: `2026-01-01T00:00:0${second}.000001Z`,
  ...more,
})

/** The service in memory: its messages, and the requests posted to it. */
class FakeService {
  messages: WireMessage[] = []
  posted: Record<string, unknown>[] = []
  tell: (event: WireEvent) => void = () => undefined
  listen = (listener: (event: WireEvent) => void) => void (this.tell = listener)
  close = () => Promise.resolve()
  #state = (): WireState => ({
    channel: { id: ROOM, cid: CID, type: 'team', created_at: '2026-01-01T00:00:00Z' },
    messages: this.messages,
  })
  post = (path: string, body: Record<string, unknown>): Promise<unknown> => {
    if (path === '/channels') return Promise.resolve({ channels: [this.#state()] })
    if (path.endsWith('/query')) return Promise.resolve(this.#state())
    if (!path.endsWith('/message')) return Promise.resolve({})
    const message = body['message'] as Record<string, unknown>
    this.posted.push(message)
    return Promise.resolve({ message: aMessage(String(message['id']), 9) })
  }
  put = (_: string, { set }: { set: Record<string, unknown> }) => {
    this.posted.push(set)
    return Promise.resolve({ message: aMessage('one', 1) })
  }
  delete = () => Promise.resolve({ message: aMessage('one', 1) })
}

let service: FakeService
let reports: string[]
let reads: string[]
async function connected(): Promise<HostedChat> {
  const chat = await HostedChat.open(() => undefined)
  onTestFinished(() => chat.close())
  return chat
}
const draft = (text: string) => ({ clientId: crypto.randomUUID(), text, fileIds: [], replyTo: null })

beforeEach(() => {
  signedIn()
  service = new FakeService()
  vi.spyOn(HostedService, 'open').mockResolvedValue(service as unknown as HostedService)
  reports = []
  reads = []
  server.use(
    http.post<never, { messageId: string }>(
      `${API}/stream/channels/${ROOM}/mentions`,
      async ({ request }) => {
        reports.push((await request.json()).messageId)
        return new HttpResponse(null, { status: 204 })
      },
    ),
    http.post<never, { until: string }>(
      `${API}/stream/channels/${ROOM}/mentions/read`,
      async ({ request }) => {
        reads.push((await request.json()).until)
        return new HttpResponse(null, { status: 204 })
      },
    ),
  )
})
const knowing = (...people: NamedPerson[]) =>
  server.use(
    http.get(`${API}/authentication/users/named`, ({ request }) => {
      const emails = new URL(request.url).searchParams.get('emails')!.split(',')
      return HttpResponse.json({ people: people.filter(({ email }) => emails.includes(email)) })
    }),
  )

test('a mention of somebody whom this page has not met is sent with their id, and reported to our server', async () => {
  knowing(ben)
  const chat = await connected()
  const message = draft(`<p>Look, @${ben.email} and @nobody@else.example</p>`)
  await chat.send(ROOM, message)
  expect(service.posted).toMatchObject([{ mentioned_users: [ben.uuid] }])
  await vi.waitFor(() => expect(reports).toEqual([message.clientId]))
})

test('a message leaves although our server does not say who is mentioned', async () => {
  server.use(http.get(`${API}/authentication/users/named`, () => HttpResponse.error()))
  const chat = await connected()
  const message = draft(`<p>@${ben.email}</p>`)
  await chat.send(ROOM, message)
  expect(service.posted).toMatchObject([{ text: `@${ben.email}`, mentioned_users: [] }])
  await vi.waitFor(() => expect(reports).toEqual([message.clientId]))
})

test('edits with mentions and deletions are reported, messages without mentions are not', async () => {
  knowing(ben)
  const chat = await connected()
  await chat.send(ROOM, draft('<p>Hello</p>'))
  await chat.edit('one', { text: '<p>Hello again</p>', fileIds: [] })
  await chat.edit('one', { text: `<p>@${ben.email}</p>`, fileIds: [] })
  await vi.waitFor(() => expect(reports).toEqual(['one']))
  await chat.removeMessage('one')
  await vi.waitFor(() => expect(reports).toEqual(['one', 'one']))
})

test('our server learns of reading once for each page, and after each message that mentions the reader', async () => {
  const me = { id: getSession().uuid! }
  service.messages = [aMessage('one', 1), aMessage('two', 2)]
  const chat = await connected()
  const { messages } = await chat.messages(ROOM, {})
  const [, last] = messages
  await chat.readRoom(ROOM, last!.sequence)
  await vi.waitFor(() => expect(reads).toEqual(['2026-01-01T00:00:02.000Z']))

  const arrives = (message: WireMessage, type = 'message.new') => service.tell({ type, cid: CID, message })
  arrives(aMessage('three', 3))
  await chat.readRoom(ROOM, last!.sequence + 1)
  arrives(aMessage('four', 4, { mentioned_users: [me] }))
  // Reads up to just before the mention.
  await chat.readRoom(ROOM, last!.sequence + 1)
  await chat.readRoom(ROOM, last!.sequence + 2)
  arrives(aMessage('five', 5))
  await chat.readRoom(ROOM, last!.sequence + 3)
  await vi.waitFor(() =>
    expect(reads.slice(1).sort()).toEqual(['2026-01-01T00:00:03.000Z', '2026-01-01T00:00:04.000Z']),
  )
  arrives(aMessage('one', 1, { mentioned_users: [me] }), 'message.updated')
  await chat.readRoom(ROOM, last!.sequence + 3)
  await vi.waitFor(() => expect(reads.at(-1)).toBe('2026-01-01T00:00:05.000Z'))
  expect(reads).toHaveLength(4)
})
