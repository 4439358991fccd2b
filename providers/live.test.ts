import { QueryClient } from '@tanstack/react-query'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'

import { API, FakeSocket, server, signedIn } from '#tests/support/client.tsx'
import { coalesce, invalidateOnNews, keysOf } from './invalidation.ts'
import { live, type LiveNews } from './live.ts'
import { getSession } from './session.ts'

const anEvent = (sequence: number, noun = 'users') =>
  ({ type: 'event', sequence, noun, record: 'r', verb: 'changed', parent: null }) as const

let stop: () => void = () => undefined
afterEach(() => stop())

/** Connects, and answers the socket's hello. */
async function connect(): Promise<FakeSocket> {
  const before = FakeSocket.last
  stop = live.start()
  return nextSocket(before)
}
const nextSocket = (before: FakeSocket | undefined) =>
  vi.waitFor(() => {
    expect(FakeSocket.last).not.toBe(before)
    expect(FakeSocket.last!.sent).toHaveLength(1)
    return FakeSocket.last!
  })
function listening(): LiveNews[] {
  const heard: LiveNews[] = []
  const connection = stop
  const unlisten = live.listen((news) => heard.push(news))
  stop = () => {
    unlisten()
    connection()
  }
  return heard
}

test('introduces itself with a ticket, and a first connection asks for everything again', async () => {
  signedIn()
  const socket = await connect()
  const heard = listening()
  expect(socket.url).toBe('ws://muster.test/api/live')
  expect(socket.sent).toEqual(['{"ticket":"ticket","after":null,"chatAfter":null}'])
  expect(live.status()).toBe('connecting')
  socket.say({ type: 'ready', sequence: 4 })
  expect(live.status()).toBe('open')
  expect(heard).toEqual([{ type: 'reset' }])
  socket.say(anEvent(5))
  expect(heard).toEqual([{ type: 'reset' }, anEvent(5)])
})

test('comes back after a lost connection and asks for what it missed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  signedIn()
  const socket = await connect()
  socket.say({ type: 'ready', sequence: 4 })
  socket.say(anEvent(9))
  socket.dispatchEvent(new CloseEvent('close', { code: 1006 }))
  expect(live.status()).toBe('down')
  await vi.advanceTimersByTimeAsync(600)
  const again = await nextSocket(socket)
  expect(again.sent).toEqual(['{"ticket":"ticket","after":9,"chatAfter":null}'])
  const heard = listening()
  again.say(anEvent(10))
  again.say({ type: 'ready', sequence: 10 })
  expect(heard).toEqual([anEvent(10)])
  expect(live.status()).toBe('open')
})

test('a page that is loaded again continues where the last one was', async () => {
  signedIn()
  localStorage.setItem('muster.live', 'demo 41')
  const socket = await connect()
  expect(socket.sent).toEqual(['{"ticket":"ticket","after":41,"chatAfter":null}'])
  stop()
  localStorage.setItem('muster.live', 'another 41')
  expect((await connect()).sent).toEqual(['{"ticket":"ticket","after":null,"chatAfter":null}'])
})

test('waits longer after each failure, and hears no abandoned socket', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(Math, 'random').mockReturnValue(1)
  signedIn()
  let asked = 0
  server.use(
    http.post(`${API}/live/ticket`, () =>
      ++asked < 3
        ? HttpResponse.json({ code: 'busy', message: 'Not now.' }, { status: 503 })
        : HttpResponse.json({ ticket: 'third', expiresAt: new Date().toISOString() }),
    ),
  )
  stop = live.start()
  await vi.waitFor(() => expect(live.status()).toBe('down'))
  await vi.advanceTimersByTimeAsync(500)
  await vi.waitFor(() => expect(asked).toBe(2))
  await vi.advanceTimersByTimeAsync(900)
  expect(asked).toBe(2)
  await vi.advanceTimersByTimeAsync(200)
  const socket = await nextSocket(undefined)
  stop()
  const heard = listening()
  socket.say(anEvent(1))
  expect(heard).toEqual([])
})

test('ends the session when the server says so', async () => {
  signedIn()
  const socket = await connect()
  socket.say({ type: 'ended' })
  expect(getSession().tokens).toBeNull()
})

test('makes stale what shows the noun, and everything after a gap', async () => {
  signedIn()
  const socket = await connect()
  const client = new QueryClient()
  const queries = [
    ['dashboard'],
    ['user-admin', 'getList'],
    ['incidents', 'list'],
    ['incidents', 'r'],
    ['files'],
  ]
  for (const key of queries) client.setQueryData(key, 1)
  const stale = () =>
    queries.filter((key) => client.getQueryState(key)?.isInvalidated).map((key) => key.join(' '))
  const connection = stop
  const unlisten = invalidateOnNews(client)
  stop = () => {
    unlisten()
    connection()
  }
  localStorage.setItem('muster.live', 'demo 1')
  socket.say(anEvent(2, 'users'))
  // The first message of a first connection counts as a gap as well.
  expect(stale()).toHaveLength(queries.length)
  for (const key of queries) client.setQueryData(key, 2)
  socket.say(anEvent(3, 'incidents'))
  expect(stale()).toEqual(['dashboard', 'incidents list', 'incidents r'])
  socket.say(anEvent(4, 'files'))
  expect(stale()).toContain('files')
})

test('an activity makes its incident stale, and an unknown noun itself', () => {
  expect(keysOf({ ...anEvent(1, 'activities'), parent: 'i' })).toEqual([
    ['dashboard', 'asked'],
    ['incidents', 'list'],
    ['incidents', 'i'],
  ])
  expect(keysOf(anEvent(1, 'groups'))).toEqual([['groups']])
})

test('a burst asks at once and once more at its end', () => {
  vi.useFakeTimers()
  const acted: unknown[] = []
  const ask = coalesce((key) => acted.push(key))
  for (let i = 0; i < 50; i++) ask(['a'])
  ask(['b'])
  expect(acted).toEqual([['a'], ['b']])
  vi.advanceTimersByTime(100)
  expect(acted).toEqual([['a'], ['b'], ['a']])
  vi.advanceTimersByTime(1_000)
  expect(acted).toHaveLength(3)
  ask(['a'])
  expect(acted).toHaveLength(4)
})

test('starts anew when the configuration changed: rights and all that is shown are asked for again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  signedIn()
  const asked: string[] = []
  server.events.on('request:start', ({ request }) => void asked.push(new URL(request.url).pathname))
  const socket = await connect()
  socket.say({ type: 'ready', sequence: 4 })
  socket.dispatchEvent(new CloseEvent('close', { code: 4002 }))
  expect(live.status()).toBe('connecting')
  await vi.advanceTimersByTimeAsync(2_000)
  const again = await nextSocket(socket)
  expect(again.sent).toEqual(['{"ticket":"ticket","after":null,"chatAfter":null}'])
  const heard = listening()
  again.say({ type: 'ready', sequence: 5 })
  expect(heard).toEqual([{ type: 'reset' }])
  await vi.waitFor(() => expect(asked).toEqual(expect.arrayContaining(['/registry/demo', '/api/me'])))
})

test('asks for the configuration again after the socket was down', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  signedIn()
  const socket = await connect()
  const client = new QueryClient()
  const asked = vi.spyOn(client, 'invalidateQueries')
  const connection = stop
  const ignore = invalidateOnNews(client)
  stop = () => {
    ignore()
    connection()
  }
  socket.say({ type: 'ready', sequence: 4 })
  expect(asked).not.toHaveBeenCalledWith({ queryKey: ['config'] })
  socket.dispatchEvent(new CloseEvent('close', { code: 1006 }))
  await vi.advanceTimersByTimeAsync(600)
  ;(await nextSocket(socket)).say({ type: 'ready', sequence: 4 })
  expect(asked).toHaveBeenCalledWith({ queryKey: ['config'] })
})
