import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { send } from './send.ts'

const API = 'http://muster.test/api'
const NOW = Date.parse('2026-03-01T12:00:00.000Z')

let keys: (string | null)[] = []
let respond: () => Response | Promise<Response>
const fine = () => Response.json({}, { status: 201 })
const lost = () => Promise.reject(new TypeError('The connection ended.'))

/** One press of a button, for which `send` tries the network twice. */
async function press(body: string | FormData = '{"title":"Fire"}', path = '/incident') {
  const answer = send({ method: 'POST', url: API + path, asPerson: false, isAct: true, body }).catch(
    (error: unknown) => error,
  )
  await vi.advanceTimersByTimeAsync(2_000)
  return answer
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  sessionStorage.clear()
  keys = []
  respond = fine
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('Idempotency-Key'))
    return respond()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the idempotency key of an act', () => {
  test('is new with each press that is answered', async () => {
    await press()
    await press()
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).not.toBe(keys[0])
    expect(sessionStorage).toHaveLength(0)
  })

  test('is new after a refusal, which is an answer', async () => {
    respond = () => Response.json({ code: 'invalid', message: 'No.' }, { status: 400 })
    await press()
    await press()
    expect(new Set(keys).size).toBe(2)
  })

  test('is kept while the network is tried again, and for the press after that', async () => {
    respond = lost
    await press()
    await press()
    respond = fine
    await press()
    expect(keys).toHaveLength(5)
    expect(new Set(keys).size).toBe(1)
    await press()
    expect(new Set(keys).size).toBe(2)
  })

  test('is kept when something between here and the server fails', async () => {
    respond = () => new Response('Bad gateway', { status: 502 })
    await press()
    respond = fine
    await press()
    expect(new Set(keys).size).toBe(1)
  })

  test('is kept over a reload, in this tab', async () => {
    respond = lost
    await press()
    vi.resetModules()
    const reloaded = await import('./send.ts')
    respond = fine
    await reloaded.send({
      method: 'POST',
      url: `${API}/incident`,
      asPerson: false,
      isAct: true,
      body: '{"title":"Fire"}',
    })
    expect(new Set(keys).size).toBe(1)
  })

  test('is shared by two presses at the same moment', async () => {
    await Promise.all([press(), press()])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test('is another one for anything else, and after a quarter of an hour', async () => {
    respond = lost
    const file = (name: string) => {
      const form = new FormData()
      form.append('file', new File(['x'], name, { lastModified: 1 }))
      return form
    }
    for (const [body, path] of [
      ['{"title":"Fire"}', '/incident'],
      ['{"title":"Flood"}', '/incident'],
      ['{"title":"Fire"}', '/incident/withActivities'],
      [file('one.txt'), '/fa'],
      [file('two.txt'), '/fa'],
    ] as const)
      await press(body, path)
    expect(new Set(keys).size).toBe(5)
    await press(file('one.txt'), '/fa')
    expect(new Set(keys).size).toBe(5)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    await press()
    expect(new Set(keys).size).toBe(6)
  })

  test('is there for a press where the storage is closed', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    respond = lost
    await press()
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).not.toBeNull()
  })

  test('is not sent where nothing changes', async () => {
    await send({ method: 'GET', url: `${API}/me`, asPerson: false })
    expect(keys).toEqual([null])
  })
})
