import { Resource } from 'ra-core'
import { Navigate, type RouteObject, useParams, useRouteError } from 'react-router-dom'

import { OopsScreen } from './OopsScreen.tsx'
import { PageGuard } from './PageGuard.tsx'
import { type Route, type Section, SECTIONS } from './sections.ts'

const guarded = ({ path, access, page }: Route): RouteObject => ({
  path,
  element: <PageGuard key={path} path={path} access={access} page={page} />,
})

/** react-admin's addresses of a form (`/groups/create`, `/groups/1`) lead to ours, in which the list stays open. */
function ToForm({ path }: Pick<Section, 'path'>) {
  const { id } = useParams()
  const search = new URLSearchParams(id === undefined ? { create: '1' } : { edit: id })
  return <Navigate to={{ pathname: path, search: String(search) }} replace />
}

function resourceRoute({ path, access, page, resource }: Section): RouteObject {
  const name = path.slice(1)
  const form = <ToForm path={path} />
  return {
    path: `${path}/*`,
    element: (
      <Resource
        key={name}
        name={name}
        list={<PageGuard path={path} access={access} page={page} />}
        {...(resource?.hasCreate && { create: form })}
        {...(resource?.hasEdit && { edit: form })}
      />
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

/** The router's fallback when pages fail to render. */
export function PagesFailed() {
  return <OopsScreen error={useRouteError()} />
}
