import { Suspense } from 'react'
import { Navigate, type RouteObject } from 'react-router-dom'

import { PageSkeleton } from '#src/kit/feedback/PageSkeleton.tsx'

import type { Page as PageChunk } from '../pageChunks.ts'
import { resourceElement } from '../resourceElement.tsx'
import { CONSOLE_SECTIONS, type ConsoleSection } from './consoleSections.ts'

const shown = (Page: PageChunk) => (
  <Suspense fallback={<PageSkeleton />}>
    <Page />
  </Suspense>
)

const routesOf = ({ path, page, resource, routes = [] }: ConsoleSection): RouteObject[] => [
  resource
    ? { path: `${path}/*`, element: resourceElement(path, resource, shown(page)) }
    : { path, element: shown(page) },
  ...routes.map((route) => ({ path: route.path, element: shown(route.page) })),
]

/** Every page of the console. Its index and unknown addresses lead to the organisations. */
export const CONSOLE_PAGES: RouteObject[] = [
  ...CONSOLE_SECTIONS.flatMap(routesOf),
  { path: '*', element: <Navigate to="/management/organizations" replace /> },
]
