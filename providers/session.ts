import { useSyncExternalStore } from 'react'

import type { OrganisationConfig } from '#contract/config/schema.ts'
import type { AccessCaller, Permission, StaffRole } from '#contract/kit/access.ts'
import type { Me, RefreshedTokens, SessionData, SessionUser } from '#contract/sessions/schema.ts'

import { storage } from './storage.ts'

export interface Organisation {
  readonly code: string
  readonly apiUrl: string
  readonly config: OrganisationConfig
}
export interface Tokens {
  readonly authenticationToken: string
  readonly authenticationTokenExpiry: string
  /** Absent in the console: its session ends with its token. */
  readonly refreshToken: string | null
}
/** Why a session ended; `left` when the person signed out. */
export type Ending = 'left' | 'expired' | 'throttled'

/** A member of the provider's staff (administration §3 "Management session"). */
export interface Staff {
  readonly email: string
  readonly role: StaffRole
  /** Base address of the chosen environment's console. */
  readonly baseUrl: string
}

export interface Session {
  readonly organisation: Organisation | null
  /** The member signed in to the console, whose pages have a session of their own. */
  readonly staff: Staff | null
  readonly tokens: Tokens | null
  readonly user: SessionUser | null
  readonly permissions: readonly Permission[] | null
  readonly uuid: string | null
  readonly userIdHash: string | null
  readonly ending: Ending | null
}

const KEY = 'muster.session'
const CONSOLE_KEY = 'muster.management'
const APP_ID_KEY = 'appId'
const signedOut = { tokens: null, staff: null, user: null, permissions: null, uuid: null, userIdHash: null }
const EMPTY: Session = { organisation: null, ...signedOut, ending: null }

const listeners = new Set<() => void>()
let current: Session | undefined
/** True when the server has confirmed the permissions since the page was opened. */
let confirmed = false

/** True on pages of the console. */
export const isStaffPage = (): boolean =>
  typeof location !== 'undefined' && location.pathname.startsWith('/management')
/** The console and the organisation's application have separate sessions, in one browser too. */
const storageKey = () => (isStaffPage() ? CONSOLE_KEY : KEY)

function stored(): Session {
  const text = storage.read(storageKey())
  if (text === null) return EMPTY
  try {
    return { ...EMPTY, ...(JSON.parse(text) as Partial<Session>) }
  } catch {
    return EMPTY
  }
}

function become(next: Session) {
  current = next
  confirmed &&= next.tokens !== null
  for (const listener of listeners) listener()
}

function change(patch: Partial<Session>) {
  const next = { ...stored(), ...patch }
  storage.write(storageKey(), JSON.stringify(next))
  become(next)
}

// Other tabs sign in, sign out and refresh too.
if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === storageKey() || event.key === null) become(stored())
  })

/** This tab's session. Returns an identical object until the session changes. */
export const getSession = (): Session => (current ??= stored())

/** Reads the session from the storage, where another tab may have changed it. */
export function rereadSession(): Session {
  const latest = stored()
  if (JSON.stringify(latest) !== JSON.stringify(current)) become(latest)
  return getSession()
}

/** Subscribes to changes of the session, from this tab or another. Returns a function that unsubscribes. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(subscribeSession, getSession)

export const chooseOrganisation = (organisation: Organisation) =>
  change({ organisation, ...signedOut, ending: null })
/** Updates the organisation with this code and keeps the session. */
export function updateOrganisation(code: string, news: Partial<Organisation>): void {
  const known = stored().organisation
  if (known?.code !== code) return
  const organisation = { ...known, ...news }
  if (JSON.stringify(organisation) !== JSON.stringify(known)) change({ organisation })
}

let hasJustBegun = false
/** True once after a sign-in on this page. */
export function takeJustBegun(): boolean {
  const was = hasJustBegun
  hasJustBegun = false
  return was
}

/** Starts the session of a completed sign-in. */
export function beginSession(data: SessionData) {
  confirmed = true
  hasJustBegun = true
  change({
    tokens: {
      authenticationToken: data.authenticationToken,
      authenticationTokenExpiry: data.authenticationTokenExpiry,
      refreshToken: data.cueRefreshToken,
    },
    user: data.user,
    permissions: data.permissions,
    uuid: data.uuid,
    userIdHash: data.userIdHash,
    ending: null,
  })
}

/** Starts the session of staff in the console. It lasts as long as its token. */
export const beginStaffSession = (staff: Staff, authenticationToken: string, expiry: string) =>
  change({
    ...signedOut,
    staff,
    uuid: staff.email,
    tokens: { authenticationToken, authenticationTokenExpiry: expiry, refreshToken: null },
    ending: null,
  })

/** Stores the current role of the staff member. */
export function updateStaffRole(role: StaffRole): void {
  const { staff } = stored()
  if (staff && staff.role !== role) change({ staff: { ...staff, role } })
}

/** Stores refreshed tokens, unless their session has ended. */
export function renewTokens(used: string, fresh: RefreshedTokens) {
  if (stored().tokens?.refreshToken !== used) return
  const { authenticationToken, authenticationTokenExpiry, refreshToken } = fresh
  change({ tokens: { authenticationToken, authenticationTokenExpiry, refreshToken } })
}

export function setMe(me: Me) {
  if (!stored().tokens) return
  confirmed = true
  change({ user: me.user, permissions: me.userPermissions })
}

/** Continues with the stored person and permissions when the server cannot be reached. */
export function trustSession() {
  if (confirmed) return
  confirmed = true
  become(getSession())
}

/** True once the permissions are known: pages wait for them (foundation §2 "Page guard"). */
export const usePermissionsKnown = (): boolean =>
  useSyncExternalStore(subscribeSession, () => confirmed && getSession().permissions !== null)

/** Prefix of storage keys for a person's data, such as drafts, which are deleted at sign-out. */
export const keptPrefix = (uuid: string): string => `muster.kept ${uuid} `

/**
 * Ends the session here and in every other tab. The organisation stays; signing out removes everything else
 * of the person.
 */
export function endSession(ending: Ending) {
  const { tokens, uuid } = stored()
  if (!tokens) return
  change({ ...signedOut, ending })
  if (ending === 'left' && uuid !== null)
    for (const key of storage.keys(keptPrefix(uuid))) storage.write(key, null)
}

export const isSignedIn = (session: Session): boolean => session.tokens !== null

/** Base address of this session's calls. */
export const apiUrl = (): string => {
  const { staff, organisation } = getSession()
  return staff?.baseUrl ?? organisation?.apiUrl ?? ''
}

/** The session's caller, for decisions about access. */
export const callerOf = ({ tokens, staff, permissions }: Session): AccessCaller =>
  tokens && (staff ? { kind: 'staff', role: staff.role } : { kind: 'person', permissions: permissions ?? [] })

/** An identifier of this browser, generated on first use (foundation §9). */
export function appId(): string {
  const known = storage.read(APP_ID_KEY)
  if (known) return known
  // `randomUUID` does not exist on plain http, except on localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  storage.write(APP_ID_KEY, made)
  return made
}
