import { lazy, Suspense } from 'react'

import { isSignedIn, type Session } from '#providers/session.ts'
import type { EntryState } from '#src/kit/browser/location.ts'

import type { PasswordLink } from './queries.ts'
import { SetupPage } from './SetupPage.tsx'
import { SignInPage } from './SignInPage.tsx'

const RarePage = lazy(async () => ({ default: (await import('./RarePage.tsx')).RarePage }))

/** What a mailed link carries; null when any part of it is missing (foundation §2). */
export function passwordLink(search: string): PasswordLink | null {
  const query = new URLSearchParams(search)
  const [userId, code, token, address] = ['u', 'e', 't', 'a'].map((name) => query.get(name) ?? '')
  return userId && code && token && address ? { userId, code, token, address } : null
}

const SET_PASSWORD = '/set-password'
const FORGOT = '/forgot'
const FORGOT_ORGANISATION = '/forgot-org-code'
const SIGNED_OUT_ONLY = ['/login', '/setup', FORGOT, FORGOT_ORGANISATION]

/** Whether a page is the same for everybody, whoever is signed in on this device: mailed links and legal texts. */
export const isForEverybody = (path: string): boolean => [SET_PASSWORD, '/privacy', '/terms'].includes(path)

/** Where a visitor belongs instead of the page that was asked for; undefined where it is right (foundation §2). */
export function elsewhere(
  path: string,
  session: Session,
  state: EntryState,
): { to: string; state?: EntryState } | undefined {
  if (path === SET_PASSWORD && !passwordLink(location.search)) return { to: '/' }
  if (isForEverybody(path)) return undefined
  if (isSignedIn(session)) return SIGNED_OUT_ONLY.includes(path) ? { to: '/' } : undefined
  if (path === FORGOT_ORGANISATION) return undefined
  if (!session.organisation) return path === '/setup' ? undefined : { to: '/setup' }
  if (path === '/setup') return state.change ? undefined : { to: '/login' }
  if (SIGNED_OUT_ONLY.includes(path)) return undefined
  return { to: '/login', ...(session.ending !== 'left' && { state: { next: path + location.search } }) }
}

interface Props {
  path: string
  onFirstKeystroke: () => void
}

/** The pages of visitors who are not signed in, and those that are for everybody. */
export const PublicApp = ({ path, onFirstKeystroke }: Props) => (
  <Suspense key={path}>
    {path === '/setup' ? (
      <SetupPage />
    ) : path === '/login' ? (
      <SignInPage onFirstKeystroke={onFirstKeystroke} />
    ) : (
      <RarePage path={path} link={path === SET_PASSWORD ? passwordLink(location.search) : null} />
    )}
  </Suspense>
)
