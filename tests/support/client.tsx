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
/** Base address of the scripted organisation. */
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
  phoneExtension: null,
  secondPhoneNumber: null,
  secondPhoneExtension: null,
  role: 'ADMIN',
  type: 'INTERNAL',
  profileImageUrl: null,
  lastUpdateTimestamp: '2026-01-01T00:00:00.000Z',
  acceptedTerms: true,
  passwordChangeRequired: false,
  ...changes,
})

let tokens = 0
/** The response to a completed sign-in. */
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

/** Configures an organisation in this browser. */
export function configured(code = 'demo') {
  change({ organisation: { code, apiUrl: API, config } })
}

/** Signs a person in, in this browser and on the server. */
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

/** Ends the session of an open page, and waits for the sign-in page that replaces it. */
export async function sessionEnds(ending = 'expired') {
  change({ tokens: null, user: null, permissions: null, uuid: null, ending })
  await screen.findByRole('button', { name: 'Sign in' })
  cleanup()
}

/** Reloads the page: unlike unmounting, the old page just disappears. */
export async function pageReloads(): Promise<void> {
  window.dispatchEvent(new Event('pagehide'))
  cleanup()
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** Answers a call of the organisation. */
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

/** A dashboard with these active incidents and exercises. */
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

/** The dashboard's requests to the visitor, none by default. */
export const asked = (changes: Partial<Attention> = {}): Attention => ({
  checkIns: [],
  checkInsCount: 0,
  decisions: [],
  decisionsCount: 0,
  tasks: [],
  tasksCount: 0,
  latestUpdate: null,
  lastExerciseTimestamp: null,
  demonstration: null,
  ...changes,
})

/** Default responses that every page needs; tests override those that they are about. */
export const server = setupServer(
  http.get('*/registry/:code', ({ params }) =>
    params['code'] === 'demo'
      ? HttpResponse.json({ code: 'demo', apiUrl: API })
      : HttpResponse.json(aProblem('There is no such organization.'), { status: 404 }),
  ),
  http.get(`${API}/config/public/:code`, () => HttpResponse.json(config)),
  http.get(`${API}/dashboard`, () => HttpResponse.json(aDashboard())),
  http.get(`${API}/incident/:id/duties`, () => HttpResponse.json({ clocks: [], startable: [] })),
  http.get(`${API}/incidentFigures`, () =>
    HttpResponse.json({
      all: { count: 0, checkIn: null, update: null, resolution: null },
      months: [],
      severities: [],
      kinds: [],
    }),
  ),
  http.get(`${API}/calendarFeed`, () => HttpResponse.json({ createTimestamp: null })),
  http.get(`${API}/followUps`, () =>
    HttpResponse.json({ data: [], total: 0, counts: { MINE: 0, OPEN: 0, OVERDUE: 0, NOBODY: 0 } }),
  ),
  http.get(`${API}/incident/:id/followUps`, () => HttpResponse.json({ data: [], total: 0 })),
  http.get(`${API}/dashboard/asked`, () => HttpResponse.json(asked())),
  http.get(`${API}/authentication/users/search`, () => HttpResponse.json({ users: [], hasExternals: false })),
  http.get(`${API}/authentication/users/named`, () => HttpResponse.json({ people: [] })),
  http.get(`${API}/config`, () => HttpResponse.json(config)),
  http.get(`${API}/incidentDefinitions`, () => HttpResponse.json({ kinds: [], fields: [] })),
  http.get(`${API}/notifications`, () => HttpResponse.json({ data: [], unreadCount: 0 })),
  http.get(`${API}/chat/summary`, () =>
    HttpResponse.json({ sequence: 0, unreadRooms: 0, unreadMessages: 0, warRooms: 0 }),
  ),
  http.get(`${API}/chat/changes`, () => HttpResponse.json({ changes: [], sequence: 0, hasMore: false })),
  http.get(`${API}/chat/rooms`, () => HttpResponse.json([])),
  http.get(`${API}/confirmation`, () => HttpResponse.json([])),
  http.post(`${API}/suppression/find`, () => HttpResponse.json([])),
  http.get(`${API}/incident/:id/stakeholderLinks`, () => HttpResponse.json({ data: [], total: 0 })),
  http.get(`${API}/massNotification/approval`, () => HttpResponse.json({ data: [], total: 0 })),
  http.get(`${API}/incident/:id/command`, () =>
    HttpResponse.json({
      isActive: true,
      roles: [],
      nextUpdate: { dueTimestamp: null, setBy: null, minutes: 0, canSet: false, version: 0 },
    }),
  ),
  http.get(`${API}/incident/:id/massNotification`, () => HttpResponse.json({ data: [], total: 0 })),
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

/** The page's last opened socket, held by a scripted server. */
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
  /** Sends a message of the server. */
  say(message: LiveMessage) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

/** A browser without stored data. */
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

/** Sets the width of the window, with light colours. */
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

/** Stubs of layout that an editor and measured rows need. */
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

/** Web Locks as in a secure context; a single tab never waits. */
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

/** Opens the product at an address. Returns a user with keyboard and mouse. */
export function open(path = '/') {
  history.replaceState(null, '', path)
  const user = userEvent.setup()
  render(<Root />)
  return user
}
