import { lazy, Suspense } from 'react'

import { isSignedIn, type Session } from '#providers/session.ts'
import type { EntryState } from '#src/kit/location.ts'

import type { PasswordLink } from './queries.ts'
import { SetupPage } from './SetupPage.tsx'
import { SignInPage } from './SignInPage.tsx'

// The pages that few visits begin with load when they are asked for.
const SetPasswordPage = lazy(async () => ({
  default: (await import('./SetPasswordPage.tsx')).SetPasswordPage,
}))

/** What a mailed link carries; null when any part of it is missing (foundation §2). */
export function passwordLink(search: string): PasswordLink | null {
  const query = new URLSearchParams(search)
  const [userId, code, token, address] = ['u', 'e', 't', 'a'].map((name) => query.get(name) ?? '')
  return userId && code && token && address ? { userId, code, token, address } : null
}

/** A mailed link opens its page for everybody, whoever is signed in on this device. */
export const SET_PASSWORD = '/set-password'

/** Where a visitor belongs instead of the page that was asked for; undefined where it is right (foundation §2). */
export function elsewhere(
  path: string,
  session: Session,
  state: EntryState,
): { to: string; state?: EntryState } | undefined {
  if (path === SET_PASSWORD) return passwordLink(location.search) ? undefined : { to: '/' }
  const isPublic = path === '/login' || path === '/setup'
  if (isSignedIn(session)) return isPublic ? { to: '/' } : undefined
  if (!session.organisation) return path === '/setup' ? undefined : { to: '/setup' }
  if (path === '/setup') return state.change ? undefined : { to: '/login' }
  if (path === '/login') return undefined
  return { to: '/login', ...(session.ending !== 'left' && { state: { next: path } }) }
}

interface Props {
  path: string
  onFirstKeystroke: () => void
}

/** The pages of visitors who are not signed in. */
export function PublicApp({ path, onFirstKeystroke }: Props) {
  const link = path === SET_PASSWORD ? passwordLink(location.search) : null
  if (link)
    return (
      <Suspense>
        <SetPasswordPage link={link} />
      </Suspense>
    )
  return path === '/setup' ? <SetupPage /> : <SignInPage onFirstKeystroke={onFirstKeystroke} />
}
