import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { SessionData } from '#contract/sessions/schema.ts'
import { withLocks } from '#tests/support/client.tsx'

/*
 * Three tabs of one browser, each a copy of everything except the storage, and a server that rotates refresh
 * tokens as ours does, on a fake clock.
 */
const API = 'http://muster.test/api'
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const SECOND = 1_000
const MINUTE = 60 * SECOND
const ACCESS_LIFE = 15 * MINUTE
const GRACE = 30 * SECOND
const TABS = 3

type Answer = (response: Response) => Promise<Response>
const after =
  (ms: number): Answer =>
  async (response) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return response
  }

/** Rotates tokens when a request arrives, and responds when `answer` allows it. */
class Server {
  /** The newest generation of tokens. */
  newest = 0
  rotations = 0
  isStolen = false
  answer: Answer = async (response) => response
  readonly #usedAt = new Map<number, number>()
  readonly #received = new Set<number>()

  tokens(generation: number) {
    return {
      authenticationToken: `access ${generation} ${Date.now() + ACCESS_LIFE}`,
      authenticationTokenExpiry: new Date(Date.now() + ACCESS_LIFE).toISOString(),
      refreshToken: `refresh ${generation}`,
      expiresAt: new Date(Date.now() + 12 * 60 * MINUTE).toISOString(),
    }
  }
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (url.endsWith('/authentication/refreshToken'))
      return Promise.race([this.#refresh(init.body as string), aborted(init.signal)])
    const [, , generation, expiry] = new Headers(init.headers).get('Authorization')!.split(' ')
    if (this.isStolen || Date.now() > Number(expiry)) return refusal()
    this.#received.add(Number(generation))
    return Response.json({})
  }
  #refresh(body: string): Promise<Response> {
    const used = Number((JSON.parse(body) as { refreshToken: string }).refreshToken.split(' ')[1])
    if (used === this.newest) {
      this.#usedAt.set(used, Date.now())
      this.newest += 1
      this.rotations += 1
    } else {
      const isRecent = Date.now() - this.#usedAt.get(used)! <= GRACE
      this.isStolen ||= used !== this.newest - 1 || !(isRecent || !this.#received.has(this.newest))
    }
    return this.answer(this.isStolen ? refusal() : Response.json(this.tokens(this.newest)))
  }
}
const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
const refusal = () => Response.json({ code: 'unauthenticated', message: 'No.' }, { status: 401 })

/** Web Locks with one holder at a time. */
function realLocks() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request: (_: string, work: () => Promise<unknown>) => (last = last.catch(() => {}).then(work)),
  }
}

let server: Server
let stops: (() => void)[] = []
let outcomes: unknown[] = []

async function aTab(begin: boolean) {
  vi.resetModules()
  const { send, keepSignedIn } = await import('./send.ts')
  const { beginSession, chooseOrganisation, getSession } = await import('./session.ts')
  if (begin) {
    const config = { displayName: 'Demo', streamApiKey: '', multiIncident: false, manageAdminToolId: '' }
    chooseOrganisation({ code: 'demo', apiUrl: API, config })
    const { refreshToken, ...tokens } = server.tokens(0)
    beginSession({ ...tokens, cueRefreshToken: refreshToken, uuid: 'ada' } as unknown as SessionData)
  }
  const work = setInterval(() => {
    void send({ method: 'GET', url: `${API}/thing`, asPerson: true }).then(
      () => outcomes.push('fine'),
      (error: unknown) => outcomes.push(error),
    )
  }, 20 * SECOND)
  stops.push(keepSignedIn(), () => clearInterval(work))
  return getSession
}
/** The sessions of three tabs in use. */
async function threeTabs() {
  const sessions = []
  // oxlint-disable-next-line no-await-in-loop -- the first one signs in
  for (let tab = 0; tab < TABS; tab++) sessions.push(await aTab(tab === 0))
  return sessions
}
const endings = (sessions: Awaited<ReturnType<typeof threeTabs>>) =>
  sessions.map((session) => session().ending)

beforeEach(() => {
  vi.useFakeTimers({
    now: NOW,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  localStorage.clear()
  server = new Server()
  stops = []
  outcomes = []
  vi.stubGlobal('fetch', server.fetch)
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe.each([
  ['with Web Locks', realLocks],
  ['at a plain http address', () => null],
])('three tabs %s', (_, locks) => {
  test.each([5, 20, 40])('work for an hour with a server that takes %i seconds for new tokens', async (s) => {
    withLocks(locks())
    server.answer = after(s * SECOND)
    const sessions = await threeTabs()
    await vi.advanceTimersByTimeAsync(60 * MINUTE)
    expect(endings(sessions)).toEqual([null, null, null])
    expect(server.isStolen).toBe(false)
    // One rotation every 15 minutes for all tabs, without waiting.
    expect(server.rotations).toBeLessThanOrEqual(4)
    expect(outcomes.length).toBeGreaterThan(500)
    expect(outcomes.filter((outcome) => outcome !== 'fine')).toEqual([])
  })

  test('stay signed in when the answers of half an hour are lost', async () => {
    withLocks(locks())
    const sessions = await threeTabs()
    server.answer = () => new Promise(() => {})
    await vi.advanceTimersByTimeAsync(45 * MINUTE)
    server.answer = async (response) => response
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    outcomes = []
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(endings(sessions)).toEqual([null, null, null])
    expect(server.rotations).toBe(1)
    expect(outcomes.filter((outcome) => outcome !== 'fine')).toEqual([])
    expect(outcomes.length).toBeGreaterThan(10)
  })
})

test('without any lock three tabs that refresh at once stay signed in', async () => {
  withLocks({ request: (_: string, work: () => unknown) => work() })
  server.answer = after(40 * SECOND)
  const sessions = await threeTabs()
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  expect(endings(sessions)).toEqual([null, null, null])
  expect(server.isStolen).toBe(false)
})

test('a laptop that falls asleep after the server rotated is signed in when it wakes up', async () => {
  withLocks(realLocks())
  const sessions = await threeTabs()
  let wake: (error: Error) => void = () => undefined
  server.answer = () => new Promise((_, reject) => (wake = reject))
  await vi.advanceTimersByTimeAsync(14 * MINUTE + 5 * SECOND)
  expect(server.rotations).toBe(1)
  // Timers and network of a sleeping tab stop; the clock does not.
  vi.setSystemTime(NOW + 3 * 60 * MINUTE)
  server.answer = async (response) => response
  wake(new TypeError('network changed'))
  outcomes = []
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(endings(sessions)).toEqual([null, null, null])
  expect(outcomes.filter((outcome) => outcome !== 'fine')).toEqual([])
  expect(outcomes.length).toBeGreaterThan(10)
})

test('a refresh token that somebody else has used ends the session in all tabs', async () => {
  withLocks(realLocks())
  const sessions = await threeTabs()
  const stolen = (await (
    await server.fetch(`${API}/authentication/refreshToken`, {
      body: '{"refreshToken":"refresh 0"}',
    })
  ).json()) as { authenticationToken: string }
  await server.fetch(`${API}/thing`, { headers: { Authorization: `Bearer ${stolen.authenticationToken}` } })
  await vi.advanceTimersByTimeAsync(16 * MINUTE)
  expect(server.isStolen).toBe(true)
  expect(endings(sessions)).toEqual(['expired', 'expired', 'expired'])
})
