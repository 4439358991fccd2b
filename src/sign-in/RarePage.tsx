import { lazy } from 'react'

import { ForgotPage } from './ForgotPage.tsx'
import type { PasswordLink } from './queries.ts'
import { SetPasswordPage } from './SetPasswordPage.tsx'

// Mostly text.
const LegalPage = lazy(async () => ({ default: (await import('./LegalPage.tsx')).LegalPage }))

/** The public pages that few visits begin with, in one file: what every visit loads knows of one only. */
export function RarePage({ path, link }: { path: string; link: PasswordLink | null }) {
  if (link) return <SetPasswordPage link={link} />
  if (path.startsWith('/forgot'))
    return <ForgotPage what={path === '/forgot' ? 'password' : 'organization'} />
  return <LegalPage which={path === '/privacy' ? 'privacy' : 'terms'} />
}
