import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import { vi } from 'vitest'

import type { ActiveIncident, Attention, Dashboard } from '#contract/dashboard/schema.ts'
import type { Permission } from '#contract/kit/access.ts'
import type { LiveMessage } from '#contract/kit/live.ts'
import type { SessionData, SessionUser } from '#contract/sessions/schema.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import type { UserRole } from '#contract/users/schema.ts'
import { forgetServerNow } from '#providers/serverClock.ts'
import { Root } from '#src/app/Root.tsx'

const DAY = 86_400_000
/** Where the scripted organisation is served. */
export const API = 'http://muster.test/api'
const MY_ID = '7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90'

export const config = {
  displayName: 'Demonstration Company',
  streamApiKey: '',
  multiIncident: false,
  manageAdminToolId: '',
}
const toggles = { groupsEnabled: true, playbookEnabled: true, playbooksSharingEnabled: false, sfs2fa: false }

export const aUser = (changes: Partial<SessionUser> = {}): SessionUser => ({
  uuid: MY_ID,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@demo.example',
  phoneNumber: null,
  role: 'ADMIN',
  type: 'INTERNAL',
  profileImageUrl: null,
  lastUpdateTimestamp: '2026-01-01T00:00:00.000Z',
  acceptedTerms: true,
  passwordChangeRequired: false,
  ...changes,
})

let tokens = 0
/** What a completed sign-in answers. */
export function sessionData(role: UserRole = 'ADMIN', permissions?: readonly Permission[]): SessionData {
  const user = aUser({ role })
  return {
    isSuccess: true,
    authenticationToken: `token-${++tokens}`,
    authenticationTokenExpiry: new Date(Date.now() + 2 * DAY).toISOString(),
    cueRefreshToken: `refresh-${tokens}`,
    uuid: user.uuid,
    userIdHash: 'hash',
    user,
    permissions: [...(permissions ?? permissionsOf(user, toggles, false))],
  }
}

/** An organisation is configured in this browser. */
export function configured(code = 'demo') {
  change({ organisation: { code, apiUrl: API, config } })
}

/** Somebody is signed in in this browser; the server knows them as such. */
export function signedIn(role: UserRole = 'ADMIN', permissions?: readonly Permission[]): SessionData {
  const data = sessionData(role, permissions)
  const { authenticationToken, authenticationTokenExpiry, cueRefreshToken } = data
  configured()
  change({
    tokens: { authenticationToken, authenticationTokenExpiry, refreshToken: cueRefreshToken },
    user: data.user,
    permissions: data.permissions,
    uuid: data.uuid,
    userIdHash: data.userIdHash,
  })
  answer('get', '/me', { user: data.user, userPermissions: data.permissions })
  return data
}

/** Writes to the session as another tab would. */
export function change(patch: Record<string, unknown>) {
  const known = JSON.parse(localStorage.getItem('muster.session') ?? '{}') as object
  localStorage.setItem('muster.session', JSON.stringify({ ...known, ...patch }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'muster.session' }))
}

/** The session ends while a page is open, which is gone then; the sign-in page stands in its place. */
export async function sessionEnds(ending = 'expired') {
  change({ tokens: null, user: null, permissions: null, uuid: null, ending })
  await screen.findByRole('button', { name: 'Sign in' })
  cleanup()
}

/** The page is reloaded, which unmounts nothing: it is gone and opened again. */
export async function pageReloads(): Promise<void> {
  window.dispatchEvent(new Event('pagehide'))
  cleanup()
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** Lets the scripted server answer a call of the organisation. */
export function answer(verb: Verb, path: string, body: JsonBodyType | undefined, status = 200) {
  server.use(
    http[verb](`${API}${path}`, () =>
      body === undefined ? new HttpResponse(null, { status: 204 }) : HttpResponse.json(body, { status }),
    ),
  )
}

export const aProblem = (message: string, code = 'refused') => ({ code, message })

export const anIncident = (changes: Partial<ActiveIncident> = {}): ActiveIncident => ({
  id: '0b9e3f0a-58d8-4d3a-8a6f-3a0a3d1a7d11',
  title: 'Ransomware in the payment network',
  isTabletop: false,
  severity: 'HIGH',
  createTimestamp: new Date(Date.now() - 5 * 60_000).toISOString(),
  ...changes,
})

/** A dashboard on which these incidents and exercises are active. */
export function aDashboard(
  active: readonly ActiveIncident[] = [],
  changes: Partial<Dashboard> = {},
): Dashboard {
  const incidents = active.filter(({ isTabletop }) => !isTabletop)
  return {
    timestamp: new Date().toISOString(),
    lastIncidentTimestamp: null,
    activeIncident: incidents[0] ?? active[0] ?? null,
    activeIncidents: [...active],
    incidentsCount: incidents.length,
    exercisesCount: active.length - incidents.length,
    secondsInIncident: incidents.length > 0 ? 300 : null,
    secondsIncidentFree: incidents.length > 0 ? null : 90_061,
    currentUsers: 12,
    maxUsers: 1_500,
    subscriptionLevel: 'ENTERPRISE',
    ...changes,
  }
}

/** What is asked of the visitor: nothing, unless a test says so. */
export const asked = (changes: Partial<Attention> = {}): Attention => ({
  checkIns: [],
  checkInsCount: 0,
  tasks: [],
  tasksCount: 0,
  latestUpdate: null,
  lastExerciseTimestamp: null,
  ...changes,
})

/** What every page asks for, answered; a test overrides what it is about. */
export const server = setupServer(
  http.get('*/registry/:code', ({ params }) =>
    params['code'] === 'demo'
      ? HttpResponse.json({ code: 'demo', apiUrl: API })
      : HttpResponse.json(aProblem('There is no such organization.'), { status: 404 }),
  ),
  http.get(`${API}/config/public/:code`, () => HttpResponse.json(config)),
  http.get(`${API}/dashboard`, () => HttpResponse.json(aDashboard())),
  http.get(`${API}/dashboard/asked`, () => HttpResponse.json(asked())),
  http.get(`${API}/authentication/users/search`, () => HttpResponse.json({ users: [], hasExternals: false })),
  http.get(`${API}/authentication/users/named`, () => HttpResponse.json({ people: [] })),
  http.get(`${API}/config`, () => HttpResponse.json(config)),
  http.get(`${API}/notifications`, () => HttpResponse.json({ data: [], unreadCount: 0 })),
  http.get(`${API}/chat/summary`, () =>
    HttpResponse.json({ sequence: 0, unreadRooms: 0, unreadMessages: 0, warRooms: 0 }),
  ),
  http.get(`${API}/chat/changes`, () => HttpResponse.json({ changes: [], sequence: 0, hasMore: false })),
  http.get(`${API}/chat/rooms`, () => HttpResponse.json([])),
  http.get(`${API}/version/badges`, () => HttpResponse.json([])),
  http.get(`${API}/fa/:parentType/:parentId`, () => HttpResponse.json([])),
  http.post(`${API}/authentication/logout`, () => new HttpResponse(null, { status: 204 })),
  http.post(`${API}/live/ticket`, () =>
    HttpResponse.json(
      { ticket: 'ticket', expiresAt: new Date(Date.now() + 60_000).toISOString() },
      { status: 201 },
    ),
  ),
)

/** The socket that the page opened last, held by a scripted server. */
export class FakeSocket extends EventTarget {
  static last: FakeSocket | undefined
  readonly sent: string[] = []
  readonly url: string
  constructor(url: string | URL) {
    super()
    this.url = String(url)
    FakeSocket.last = this
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.dispatchEvent(new CloseEvent('close', { code: 1000 }))
  }
  /** The server says something. */
  say(message: LiveMessage) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

/** A browser in which nobody has been yet. */
export function freshBrowser() {
  localStorage.clear()
  sessionStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  forgetServerNow()
  history.replaceState(null, '', '/')
  FakeSocket.last = undefined
  vi.stubGlobal('WebSocket', FakeSocket)
  withLocks()
  vi.stubGlobal('scrollTo', () => undefined)
  windowIs('wide')
  setOnline(true)
}

/** How much room there is; in light colours. */
export function windowIs(width: 'wide' | 'narrow') {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: width === 'wide' && media.includes('min-width'),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }))
}

/** What an editor and measured rows ask of a page that is laid out. */
export function laidOut() {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  Range.prototype.getBoundingClientRect = () => new DOMRect()
  document.elementFromPoint = () => null
}

/** As where the page is secure; with one tab there is nobody to wait for. */
export function withLocks(
  locks: object | null = {
    request: (_: string, work: () => unknown) => work(),
    query: async () => ({ held: [] }),
  },
) {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks ?? undefined })
}

export function setOnline(online: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  window.dispatchEvent(new Event(online ? 'online' : 'offline'))
}

/** Opens the product at an address, as a person with a keyboard and a mouse. */
export function open(path = '/') {
  history.replaceState(null, '', path)
  const user = userEvent.setup()
  render(<Root />)
  return user
}
