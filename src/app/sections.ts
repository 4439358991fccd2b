import DashboardRounded from '@mui/icons-material/DashboardRounded'
import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

import { dashboardApi } from '#contract/dashboard/api.ts'
import type { Access } from '#contract/kit/access.ts'
import type { ResourceApi } from '#providers/dataProvider.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

type Page = LazyExoticComponent<ComponentType>
type Group = 'massNotifications' | 'administration' | 'settings'

export interface Route {
  /** Below the root, parameters as `:name`. */
  readonly path: string
  /** Who may see it: taken from the call that the page makes. */
  readonly access: Access
  readonly page: Page
}

/** An entry of the menu with its routes. */
export interface Section extends Route {
  readonly label: TextKey
  readonly icon: ComponentType
  /** Entries of one group stand together under its name. */
  readonly group?: Group
  /** Routes of the section that are no entries of the menu. */
  readonly routes?: readonly Route[]
  /** Makes it a declared resource: react-admin knows it by its path. */
  readonly resource?: ResourceApi
}

/** A page in a chunk of its own. */
const page = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Page => lazy(async () => ({ default: (await load())[name] }))

/** Menu, routes and access on one page, in the order of the menu. */
export const SECTIONS: readonly Section[] = [
  {
    path: '/',
    label: 'app.sections.dashboard',
    icon: DashboardRounded,
    access: dashboardApi.get.access,
    page: page(() => import('#src/dashboard/DashboardPage.tsx'), 'DashboardPage'),
  },
]

/** Where a visitor is sent who may not see the dashboard: the first of these that is allowed (decisions §2). */
export const LANDINGS: readonly string[] = ['/', '/chat', '/incidents', '/playbooks', '/secure-file-storage']

/** The most used sections, for the bar at the bottom of a phone. */
export const MOST_USED: readonly string[] = ['/', '/incidents', '/chat', '/secure-file-storage']
