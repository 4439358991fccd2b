import { Suspense, useMemo } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { usePath } from '#src/kit/browser/location.ts'
import { FILE_LINK, passwordLink, STAFF_SIGN_IN, staffLink } from '#src/sign-in/publicRoutes.ts'

import { SignInPage } from '#src/sign-in/SignInPage.tsx'

// Loaded on demand: most visits begin with the sign-in page.
const SetupPage = lazy(async () => ({ default: (await import('#src/sign-in/SetupPage.tsx')).SetupPage }))
const ForgotPage = lazy(async () => ({ default: (await import('#src/sign-in/ForgotPage.tsx')).ForgotPage }))
const SetPasswordPage = lazy(async () => ({
  default: (await import('#src/sign-in/SetPasswordPage.tsx')).SetPasswordPage,
}))
const StaffSignInPage = lazy(async () => ({
  default: (await import('#src/staff-sign-in/StaffSignInPage.tsx')).StaffSignInPage,
}))
const StaffLinkPage = lazy(async () => ({
  default: (await import('#src/staff-sign-in/StaffLinkPage.tsx')).StaffLinkPage,
}))
const LinkPage = lazy(async () => ({ default: (await import('#src/file-links/LinkPage.tsx')).LinkPage }))
const LegalPage = lazy(async () => ({ default: (await import('#src/sign-in/LegalPage.tsx')).LegalPage }))

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
  const { search } = location
  const link = useMemo(() => passwordLink(search), [search])
  const staffLinkId = staffLink(path, location.search)
  if (staffLinkId !== null) return <StaffLinkPage id={staffLinkId} />
  switch (path) {
    case '/setup':
      return <SetupPage />
    case '/login':
      return <SignInPage />
    case FILE_LINK:
      return <LinkPage />
    case STAFF_SIGN_IN:
      return <StaffSignInPage />
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
