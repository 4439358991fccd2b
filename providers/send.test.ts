import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { SessionData } from '#contract/sessions/schema.ts'
import { withLocks } from '#tests/support/client.tsx'

import { HttpProblem } from './problem.ts'
import { onLimitReached } from './limits.ts'
import { keepSignedIn, refreshMe, send, signOut } from './send.ts'
import { beginSession, chooseOrganisation, getSession } from './session.ts'

const API = 'http://muster.test/api'
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const MINUTES = 60_000
const user = {
  uuid: '7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@demo.example',
  phoneNumber: null,
  phoneExtension: null,
  secondPhoneNumber: null,
  secondPhoneExtension: null,
  role: 'USER',
  type: 'INTERNAL',
  profileImageUrl: null,
  lastUpdateTimestamp: '2026-01-01T00:00:00.000Z',
  acceptedTerms: true,
  passwordChangeRequired: false,
} as const

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTES).toISOString()
const json = (status: number, body: unknown) => Response.json(body, { status })
const refusal = (status: number, message = 'No.', more: object = {}) =>
  json(status, { code: 'refused', message, ...more })

interface SentRequest {
  readonly path: string
  readonly token: string | null
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal | null
}
let asked: SentRequest[] = []
let respond: (asked: SentRequest) => Response | Promise<Response>
const askedFor = (path: string) => asked.filter((one) => one.path === path)

const get = (path = '/thing') => send({ method: 'GET', url: API + path, asPerson: true })
const tokens = (name: string) => ({
  authenticationToken: name,
  authenticationTokenExpiry: inMinutes(15),
  refreshToken: `${name}-refresh`,
  expiresAt: inMinutes(720),
})
/** A server that accepts one token only, and issues it on refresh. */
const knowing = (token: string) => (one: SentRequest) => {
  if (one.path === '/authentication/refreshToken') return json(200, tokens(token))
  return one.token === `Bearer ${token}` ? json(200, { for: token }) : refusal(401)
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  asked = []
  respond = () => json(200, {})
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    const path = url.replace(API, '')
    const one: SentRequest = {
      path,
      token: headers.get('Authorization'),
      headers,
      body: init.body as string | null,
      signal: init.signal ?? null,
    }
    asked.push(one)
    return respond(one)
  })
  const config = {
    displayName: 'Demonstration Company',
    streamApiKey: '',
    multiIncident: false,
    manageAdminToolId: '',
  }
  chooseOrganisation({ code: 'demo', apiUrl: API, config })
  const data: SessionData = {
    isSuccess: true,
    authenticationToken: 'old',
    authenticationTokenExpiry: inMinutes(15),
    cueRefreshToken: 'old-refresh',
    uuid: user.uuid,
    userIdHash: 'hash',
    user,
    permissions: ['dashboard'],
  }
  beginSession(data)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('says who calls, for which organisation and with which version', async () => {
  await get()
  expect(Object.fromEntries(asked[0]!.headers)).toEqual({
    authorization: 'Bearer old',
    'content-type': 'application/json',
    'enterprise-code': 'demo',
    'web-app-version': '1.14.10',
  })
})

test('sends no token where nobody is asked for', async () => {
  await send({ method: 'POST', url: `${API}/authentication/upass`, asPerson: false, body: '{}' })
  expect(asked[0]!.token).toBeNull()
})

describe('a failed network', () => {
  test('is tried once more after a second', async () => {
    respond = () => (asked.length === 1 ? Promise.reject(new TypeError('failed')) : json(200, { fine: true }))
    const answer = get()
    await vi.advanceTimersByTimeAsync(900)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(await (await answer).json()).toEqual({ fine: true })
    expect(asked).toHaveLength(2)
  })

  test('is a problem with status 0 after that, and ends no session', async () => {
    respond = () => Promise.reject(new TypeError('failed'))
    const answer = get().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await answer).toMatchObject({ status: 0, message: 'Please check your Internet connection.' })
    expect(asked).toHaveLength(2)
    expect(getSession().tokens).not.toBeNull()
  })
})

describe('while the server cannot reach its database', () => {
  const away = () => refusal(503, 'Please try again.', { code: 'database_unavailable' })

  test('reads are tried until they are answered', async () => {
    respond = away
    const answer = get()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(asked.length).toBeGreaterThan(8)
    expect(asked.length).toBeLessThan(20)
    respond = () => json(200, { fine: true })
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await (await answer).json()).toEqual({ fine: true })
  })

  test('a read that nobody waits for ends', async () => {
    respond = away
    const leave = new AbortController()
    const answer = send({ method: 'GET', url: `${API}/thing`, asPerson: true, signal: leave.signal })
    const ended = answer.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(3_000)
    leave.abort()
    expect(await ended).toBe(leave.signal.reason)
    const { length } = asked
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(length)
  })

  const act = { method: 'POST', url: `${API}/thing`, asPerson: true, isAct: true, body: '{}' }
  const keys = () => new Set(asked.map(({ headers }) => headers.get('Idempotency-Key')))

  test('what changes something is repeated under one key', async () => {
    respond = () => (asked.length < 3 ? away() : json(201, { made: true }))
    const answer = send(act)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await (await answer).json()).toEqual({ made: true })
    expect(asked).toHaveLength(3)
    expect(keys().size).toBe(1)
  })

  test('and is given up after a quarter of a minute with the sentence, to be sent again under that key', async () => {
    respond = away
    const answer = send(act).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(16_000)
    expect(await answer).toMatchObject({ status: 503, message: 'Please try again.' })
    respond = () => json(201, {})
    await send(act)
    expect(keys().size).toBe(1)
    expect(getSession().tokens).not.toBeNull()
  })
})

test('a refusal carries its words, its status and the messages of its fields', async () => {
  respond = () => refusal(400, 'Please check the fields.', { fields: { name: 'Taken.' } })
  const problem = await get().catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(HttpProblem)
  expect(problem).toMatchObject({
    status: 400,
    message: 'Please check the fields.',
    body: { code: 'refused', errors: { name: 'Taken.' } },
  })
})

test('an answer that is no refusal of ours is a problem nevertheless', async () => {
  respond = () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
  await expect(get()).rejects.toMatchObject({ status: 502, message: 'Bad Gateway', body: {} })
})

describe('a refused token', () => {
  test('is refreshed once for all who call, and their calls are made again', async () => {
    respond = knowing('new')
    const answers = await Promise.all([get('/a'), get('/b'), get('/c')])
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
      [1, 2, 3].map(() => ({ for: 'new' })),
    )
    expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
    expect(askedFor('/authentication/refreshToken')[0]!.body).toBe('{"refreshToken":"old-refresh"}')
    expect(askedFor('/authentication/refreshToken')[0]!.token).toBeNull()
    expect(getSession().tokens).toMatchObject({ authenticationToken: 'new', refreshToken: 'new-refresh' })
  })

  test('lets calls wait that are made meanwhile', async () => {
    let finish: (response: Response) => void = () => undefined
    const held = new Promise<Response>((resolve) => (finish = resolve))
    respond = (one) => (one.path === '/authentication/refreshToken' ? held : knowing('new')(one))
    const first = get('/first')
    await vi.advanceTimersByTimeAsync(0)
    const second = get('/second')
    await vi.advanceTimersByTimeAsync(0)
    expect(askedFor('/second')).toEqual([])
    finish(json(200, tokens('new')))
    await Promise.all([first, second])
    expect(askedFor('/second').map(({ token }) => token)).toEqual(['Bearer new'])
  })

  test('is not refreshed again when the call is refused once more: the call was', async () => {
    respond = (one) =>
      one.path === '/authentication/refreshToken' ? json(200, tokens('new')) : refusal(401, 'Wrong code.')
    await expect(get()).rejects.toMatchObject({ status: 401, message: 'Wrong code.' })
    expect(askedFor('/thing')).toHaveLength(2)
    expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
    expect(getSession().tokens).not.toBeNull()
  })

  test('uses what another tab has refreshed', async () => {
    respond = knowing('theirs')
    const known = JSON.parse(localStorage.getItem('muster.session')!) as object
    localStorage.setItem('muster.session', JSON.stringify({ ...known, tokens: tokens('theirs') }))
    expect(await (await get()).json()).toEqual({ for: 'theirs' })
    expect(askedFor('/authentication/refreshToken')).toEqual([])
  })

  test('ends the session when the refresh token is refused', async () => {
    respond = () => refusal(401, 'Please sign in.')
    await expect(get()).rejects.toMatchObject({ status: 401 })
    expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
    expect(getSession()).toMatchObject({ tokens: null, user: null, permissions: null, ending: 'expired' })
    expect(getSession().organisation?.code).toBe('demo')
  })

  test('is tried again after three seconds when the server was at fault', async () => {
    respond = (one) =>
      one.path === '/authentication/refreshToken' && askedFor(one.path).length === 1
        ? refusal(503)
        : knowing('new')(one)
    const answer = get()
    await vi.advanceTimersByTimeAsync(2_900)
    expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(await (await answer).json()).toEqual({ for: 'new' })
  })

  const refreshBodies = () => askedFor('/authentication/refreshToken').map(({ body }) => body)

  test.each([
    ['is lost', () => Promise.reject(new TypeError('failed'))],
    ['is cut off', () => new Response('{"authenticationToken":"ne', { status: 200 })],
  ])('is refreshed again with the same refresh token when the answer %s', async (_, lost) => {
    respond = (one) =>
      one.path === '/authentication/refreshToken' && askedFor(one.path).length === 1
        ? lost()
        : knowing('new')(one)
    const answer = get()
    await vi.advanceTimersByTimeAsync(3_100)
    expect(await (await answer).json()).toEqual({ for: 'new' })
    expect(refreshBodies()).toEqual(Array(2).fill('{"refreshToken":"old-refresh"}'))
    expect(getSession().tokens).toMatchObject({ refreshToken: 'new-refresh' })
  })

  test('is refreshed again after ten seconds without an answer', async () => {
    const hanging = ({ signal }: SentRequest) =>
      new Promise<Response>((_, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      )
    respond = (one) =>
      one.path === '/authentication/refreshToken' && askedFor(one.path).length === 1
        ? hanging(one)
        : knowing('new')(one)
    const answer = get()
    await vi.advanceTimersByTimeAsync(9_900)
    expect(refreshBodies()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(3_200)
    expect(await (await answer).json()).toEqual({ for: 'new' })
    expect(refreshBodies()).toEqual(Array(2).fill('{"refreshToken":"old-refresh"}'))
  })

  test.each([
    ['the server is at fault', () => refusal(503), 503],
    ['a proxy does not know the address', () => refusal(404), 404],
    ['too many ask', () => refusal(429), 429],
    ['the network is gone', () => Promise.reject(new TypeError('failed')), 0],
  ])('keeps the session where no new one can be had because %s', async (_, failing, status) => {
    respond = (one) => (one.path === '/authentication/refreshToken' ? failing() : refusal(401))
    const answer = get().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await answer).toMatchObject({ status })
    expect(getSession().tokens).toMatchObject({ refreshToken: 'old-refresh' })
    respond = knowing('new')
    expect(await (await get()).json()).toEqual({ for: 'new' })
  })

  test('is asked for again in the background after a failure', async () => {
    const stop = keepSignedIn()
    respond = () => refusal(503)
    await vi.advanceTimersByTimeAsync(14.5 * MINUTES)
    expect(getSession().tokens).toMatchObject({ refreshToken: 'old-refresh' })
    respond = knowing('new')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(getSession().tokens).toMatchObject({ refreshToken: 'new-refresh' })
    stop()
  })

  test('is not waited for while the old one is still good', async () => {
    let finish: (response: Response) => void = () => undefined
    const held = new Promise<Response>((resolve) => (finish = resolve))
    respond = ({ path }) => (path === '/thing' ? json(200, {}) : held)
    const stop = keepSignedIn()
    await vi.advanceTimersByTimeAsync(14.5 * MINUTES)
    expect(askedFor('/authentication/refreshToken').length).toBeGreaterThan(0)
    expect((await get()).status).toBe(200)
    finish(json(200, tokens('new')))
    await vi.advanceTimersByTimeAsync(0)
    stop()
  })

  test('is not waited for when it is known to be expired', async () => {
    respond = knowing('new')
    vi.setSystemTime(NOW + 16 * MINUTES)
    await get()
    expect(asked.map(({ path }) => path)).toEqual(['/authentication/refreshToken', '/thing'])
  })
})

test('the token is refreshed a minute before it expires', async () => {
  respond = knowing('new')
  const stop = keepSignedIn()
  await vi.advanceTimersByTimeAsync(13.5 * MINUTES)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1 * MINUTES)
  expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(13 * MINUTES)
  expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2 * MINUTES)
  expect(askedFor('/authentication/refreshToken')).toHaveLength(2)
  stop()
})

test('who leaves while the token is being refreshed stays signed out', async () => {
  let finish: (response: Response) => void = () => undefined
  const held = new Promise<Response>((resolve) => (finish = resolve))
  respond = (one) => (one.path === '/authentication/refreshToken' ? held : refusal(401))
  const answer = get().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  await signOut()
  finish(json(200, tokens('new')))
  expect(await answer).toMatchObject({ status: 401 })
  expect(getSession()).toMatchObject({ tokens: null, user: null, ending: 'left' })
})

test('of two tabs at a plain http address one refreshes for both', async () => {
  withLocks(null)
  // Each tab has a copy of everything except the storage.
  const aTab = async () => {
    vi.resetModules()
    return (await import('./send.ts')).keepSignedIn
  }
  const [one, other] = [await aTab(), await aTab()]
  respond = async (asking) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return knowing('new')(asking)
  }
  const stops = [one(), other()]
  await vi.advanceTimersByTimeAsync(14.5 * MINUTES)
  expect(askedFor('/authentication/refreshToken')).toHaveLength(1)
  for (const stop of stops) stop()
})

test('a 403 asks anew who the person is and what they may do', async () => {
  respond = (one) => (one.path === '/me' ? json(200, { user, userPermissions: [] }) : refusal(403))
  await expect(get()).rejects.toMatchObject({ status: 403 })
  await vi.advanceTimersByTimeAsync(0)
  expect(getSession().permissions).toEqual([])
})

test('a 403 that only wants a verification asks for nothing else', async () => {
  respond = () => refusal(403, 'Please confirm first that it is you.', { code: 'verification_required' })
  await expect(get('/me/changePassword')).rejects.toMatchObject({ body: { code: 'verification_required' } })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(1)
})

test('a 403 of that question asks no further', async () => {
  respond = () => refusal(403)
  await expect(refreshMe()).rejects.toMatchObject({ status: 403 })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(1)
})

test.each([
  ['/incident', true],
  ['/useradmin/users?range=[0,9]', true],
  ['/authentication/resend', false],
  ['/sfs/2fa', false],
  ['/sfs/file/3', false],
  ['/fa', false],
  ['/feature/upgrade?name=x', false],
  ['/me/changePassword', false],
  ['/me', true],
])('429 of %s ends the session: %s', async (path, ends) => {
  respond = () => refusal(429, 'Too many.', { msUntilNextAttempt: 1_000 })
  await expect(get(path)).rejects.toMatchObject({ status: 429, body: { msUntilNextAttempt: 1_000 } })
  expect(getSession().tokens === null).toBe(ends)
})

test('429 of a limit for a person ends no session, and is told with its time', async () => {
  const limits: unknown[] = []
  const stop = onLimitReached((refusal) => limits.push(refusal.body.msUntilNextAttempt))
  respond = () => refusal(429, 'Too many.', { code: 'limit_reached', msUntilNextAttempt: 9_000 })
  await expect(get('/useradmin/users?filter={"q":"a"}')).rejects.toMatchObject({ status: 429 })
  stop()
  expect(limits).toEqual([9_000])
  expect(getSession().tokens).not.toBeNull()
})

test('signing out tells the server, and works without it', async () => {
  respond = () => Promise.reject(new TypeError('failed'))
  await signOut()
  expect(asked).toEqual([expect.objectContaining({ path: '/authentication/logout', token: 'Bearer old' })])
  expect(getSession()).toMatchObject({ tokens: null, ending: 'left' })
})

describe('a page that answers in place of the server', () => {
  const page = (status: number) =>
    new Response('<!doctype html><title>Hotel Wi-Fi</title>', {
      status,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
  const save = () =>
    send({ method: 'POST', url: `${API}/thing`, asPerson: true, isAct: true, body: '{"a":1}' })

  test('is named when something is saved, which is one act with the attempt after it', async () => {
    respond = () => page(200)
    await expect(save()).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('the sign-in page of this network'),
    })
    respond = () => json(200, {})
    await save()
    const [lost, saved] = askedFor('/thing')
    expect(saved!.headers.get('Idempotency-Key')).toBe(lost!.headers.get('Idempotency-Key'))
  })

  test.each([401, 403, 407, 429, 502])(
    'with %i neither signs out nor asks anew who one is',
    async (status) => {
      respond = () => page(status)
      await expect(save()).rejects.toMatchObject({ status, message: expect.stringContaining(`(${status})`) })
      expect(asked.map(({ path }) => path)).toEqual(['/thing'])
      expect(getSession().tokens).not.toBeNull()
    },
  )

  test('does not end the session where it answers the renewal of the token', async () => {
    respond = (one) => (one.path === '/authentication/refreshToken' ? page(401) : refusal(401))
    const failed = expect(save()).rejects.toMatchObject({ status: 401 })
    await vi.advanceTimersByTimeAsync(MINUTES)
    await failed
    expect(getSession().tokens).not.toBeNull()
  })
})
