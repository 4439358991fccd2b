import { http, HttpResponse } from 'msw'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { API, aProblem, server, signedIn } from '#tests/support/client.tsx'
import { uuidOf } from '#tests/support/client-chat.ts'

import { forgetKept } from '../kept.ts'
import { MentionReports } from './mentions.ts'

const ROOM = uuidOf(1)
const ME = uuidOf(99)
const RETRY_MS = 5_000

/** A server that records reports and answers as told. */
function taking() {
  const told: string[] = []
  const answers: (messageId: string) => Response = () => new HttpResponse(null, { status: 204 })
  const taken = { told, answers }
  server.use(
    http.post<{ id: string }, { messageId: string }>(
      `${API}/stream/channels/:id/mentions`,
      async ({ request, params }) => {
        const { messageId } = await request.json()
        told.push(`${params.id === ROOM ? '' : params.id}${messageId}`)
        return taken.answers(messageId)
      },
    ),
  )
  return taken
}
const away = () => HttpResponse.json(aProblem('Away', 'chat_service_unreachable'), { status: 503 })
function reporting(): MentionReports {
  const reports = new MentionReports(ME)
  onTestFinished(() => reports.close())
  return reports
}
const isKept = (messageId: string) => Object.keys(localStorage).some((key) => key.endsWith(messageId))

beforeEach(() => {
  signedIn()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

test('our server is told once of each message, and of one that was changed again', async () => {
  const { told } = taking()
  const reports = reporting()
  reports.report(ROOM, 'one')
  reports.report(ROOM, 'two')
  await vi.waitFor(() => expect(told).toEqual(['one', 'two']))
  reports.report(ROOM, 'one')
  await vi.waitFor(() => expect(told).toEqual(['one', 'two', 'one']))
  await vi.waitFor(() => expect([isKept('one'), isKept('two')]).toEqual([false, false]))
})

test('what is changed while our server is told of it is told again', async () => {
  const taken = taking()
  const reports = reporting()
  taken.answers = () => {
    if (taken.told.length === 1) reports.report(ROOM, 'one')
    return new HttpResponse(null, { status: 204 })
  }
  reports.report(ROOM, 'one')
  await vi.waitFor(() => expect(taken.told).toEqual(['one', 'one']))
})

test('a message is told of when it has left, and survives a page that closes before', async () => {
  const { told } = taking()
  const first = reporting()
  first.prepare(ROOM, 'one')
  first.report(ROOM, 'two')
  await vi.waitFor(() => expect(told).toEqual(['two']))
  first.close()
  reporting()
  await vi.waitFor(() => expect(told).toEqual(['two', 'one']))
})

test.each([
  ['the service is away', away],
  ['our server does not answer', () => HttpResponse.error()],
])('while %s the call is repeated', async (_, answers) => {
  const taken = taking()
  const answered = taken.answers
  taken.answers = answers
  reporting().report(ROOM, 'one')
  await vi.waitFor(() => expect(taken.told).toHaveLength(1))
  taken.answers = answered
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(RETRY_MS)
    expect(taken.told).toEqual(['one', 'one'])
  })
  await vi.waitFor(() => expect(isKept('one')).toBe(false))
})

test('a refusal is final', async () => {
  const taken = taking()
  taken.answers = () => HttpResponse.json(aProblem('This message does not exist.'), { status: 404 })
  reporting().report(ROOM, 'one')
  await vi.waitFor(() => expect(isKept('one')).toBe(false))
  await vi.advanceTimersByTimeAsync(10 * RETRY_MS)
  expect(taken.told).toEqual(['one'])
})

test('the next page tells what this one could not, for a day', async () => {
  const taken = taking()
  const answered = taken.answers
  taken.answers = away
  const first = reporting()
  first.report(ROOM, 'one')
  await vi.waitFor(() => expect(taken.told).toHaveLength(1))
  first.close()
  taken.answers = answered
  const second = reporting()
  await vi.waitFor(() => expect(isKept('one')).toBe(false))
  expect(taken.told).toEqual(['one', 'one'])

  second.prepare(ROOM, 'two')
  second.close()
  vi.advanceTimersByTime(25 * 60 * 60 * 1_000)
  reporting()
  expect(isKept('two')).toBe(false)
})

test('nothing stays in the browser of who signs out', () => {
  taking()
  const reports = reporting()
  reports.prepare(ROOM, 'one')
  reports.close()
  forgetKept(ME)
  expect(isKept('one')).toBe(false)
})
