import { ResourceContextProvider, RestoreScrollPosition } from 'ra-core'
import { Navigate, type RouteObject, useRouteError } from 'react-router-dom'

import { OopsScreen } from './OopsScreen.tsx'
import { PageGuard } from './PageGuard.tsx'
import { type Route, type Section, SECTIONS } from './sections.ts'

const guarded = ({ path, access, page }: Route): RouteObject => ({
  path,
  element: <PageGuard key={path} path={path} access={access} page={page} />,
})

/** A resource's page also has the addresses below it: the record that is shown beside the list. */
function resourceRoute({ path, access, page }: Section): RouteObject {
  const name = path.slice(1)
  return {
    path: `${path}/*`,
    element: (
      <ResourceContextProvider key={name} value={name}>
        <RestoreScrollPosition storeKey={`${name}.list.scrollPosition`}>
          <PageGuard path={path} access={access} page={page} />
        </RestoreScrollPosition>
      </ResourceContextProvider>
    ),
  }
}

/** Every page of the application behind its guard. An address that none of them has leads home. */
export const PAGES: RouteObject[] = [
  ...SECTIONS.flatMap((section) => [
    section.resource ? resourceRoute(section) : guarded(section),
    ...(section.routes ?? []).map(guarded),
  ]),
  { path: '*', element: <Navigate to="/" replace /> },
]

/** What the router shows instead of pages that could not be rendered. */
export function PagesFailed() {
  return <OopsScreen error={useRouteError()} />
}
