import { isSignedIn, type Session } from '#providers/session.ts'
import type { EntryState } from '#src/kit/location.ts'

import { SetupPage } from './SetupPage.tsx'
import { SignInPage } from './SignInPage.tsx'

/** Where a visitor belongs instead of the page that was asked for; undefined where it is right (foundation §2). */
export function elsewhere(
  path: string,
  session: Session,
  state: EntryState,
): { to: string; state?: EntryState } | undefined {
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
  return path === '/setup' ? <SetupPage /> : <SignInPage onFirstKeystroke={onFirstKeystroke} />
}
