import LockRounded from '@mui/icons-material/LockRounded'
import { Suspense, useDeferredValue, useEffect } from 'react'
import { Navigate } from 'react-router-dom'

import { usePermissionsKnown } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { PageSkeleton } from '#src/kit/feedback/PageSkeleton.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

import { LANDINGS, type Route, SECTIONS } from './sections.ts'

function NoAccess() {
  const text = useText()
  return (
    <>
      <PageTitle title={text('app.noAccess')} />
      <EmptyState icon={<LockRounded />} text={text('app.noAccessText')} />
    </>
  )
}

/** Renders a page for people with its access. Redirects others to `/`, and from there to their first allowed page. */
export function PageGuard({ access, path, page: Page }: Pick<Route, 'access' | 'path' | 'page'>) {
  const can = useCan()
  // Rendering the page is deferred, so that clicks in the meantime are handled first.
  const known = useDeferredValue(usePermissionsKnown(), false)
  const allowed = can(access)
  useEffect(() => {
    // Until the server has confirmed the permissions, the last known ones decide what is preloaded.
    if (allowed) Page.preload()
  }, [allowed, Page])
  if (!known) return <PageSkeleton />
  if (allowed)
    return (
      <Suspense fallback={<PageSkeleton />}>
        <Page />
      </Suspense>
    )
  if (path !== '/') return <Navigate to="/" replace />
  const landing = LANDINGS.find((to) =>
    SECTIONS.some((section) => section.path === to && can(section.access)),
  )
  return landing === undefined ? <NoAccess /> : <Navigate to={landing} replace />
}
