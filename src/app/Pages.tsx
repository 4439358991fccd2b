import { Navigate, type RouteObject } from 'react-router-dom'

import { PageGuard } from './PageGuard.tsx'
import { resourceElement } from './resourceElement.tsx'
import { type Route, type Section, SECTIONS } from './sections.ts'

const guarded = ({ path, access, page }: Route): RouteObject => ({
  path,
  element: <PageGuard key={path} path={path} access={access} page={page} />,
})

const addressesOf = ({ path, parameter }: Section) => (parameter ? `${path}/${parameter}` : path)

const resourceRoute = ({ path, access, page, resource }: Section): RouteObject => ({
  path: `${path}/*`,
  element: resourceElement(path, resource, <PageGuard path={path} access={access} page={page} />),
})

/** Every page of the application behind its guard. Unknown addresses redirect to `/`. */
export const PAGES: RouteObject[] = [
  ...SECTIONS.flatMap((section) => [
    section.resource ? resourceRoute(section) : { ...guarded(section), path: addressesOf(section) },
    ...(section.routes ?? []).map(guarded),
  ]),
  { path: '*', element: <Navigate to="/" replace /> },
]
