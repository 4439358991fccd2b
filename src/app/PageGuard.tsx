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

/** Lets in whom the page's access allows. Others go to `/`, and from there to the first page that is theirs. */
export function PageGuard({ access, path, page: Page }: Pick<Route, 'access' | 'path' | 'page'>) {
  const can = useCan()
  // A page is rendered in slices: what was clicked meanwhile does not wait for it.
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
