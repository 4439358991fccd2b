import { lazy, Suspense } from 'react'

import { usePath } from '#src/kit/browser/location.ts'
import { passwordLink } from '#src/shared/publicRoutes.ts'

import { SetupPage } from './SetupPage.tsx'
import { SignInPage } from './SignInPage.tsx'

const ForgotPage = lazy(async () => ({ default: (await import('./ForgotPage.tsx')).ForgotPage }))
const SetPasswordPage = lazy(async () => ({
  default: (await import('./SetPasswordPage.tsx')).SetPasswordPage,
}))
const LegalPage = lazy(async () => ({ default: (await import('./LegalPage.tsx')).LegalPage }))

/** The pages of visitors who are not signed in, and those that do not depend on the session. */
export default function PublicApp() {
  const path = usePath()
  return (
    <Suspense key={path}>
      <PublicPage path={path} />
    </Suspense>
  )
}

function PublicPage({ path }: { path: string }) {
  const link = passwordLink(location.search)
  switch (path) {
    case '/setup':
      return <SetupPage />
    case '/login':
      return <SignInPage />
    case '/forgot':
      return <ForgotPage what="password" />
    case '/forgot-org-code':
      return <ForgotPage what="organization" />
    case '/set-password':
      return link && <SetPasswordPage link={link} />
    default:
      return <LegalPage which={path === '/privacy' ? 'privacy' : 'terms'} />
  }
}
