import DnsRounded from '@mui/icons-material/DnsRounded'
import TuneRounded from '@mui/icons-material/TuneRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import type { ComponentType } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'
import { CONSOLE_RESOURCES } from '#resources/console.ts'
import type { AnyEntry } from '#src/kit/resource/resource.ts'
import { withLayout } from '#src/kit/resource/resourceLayout.ts'

import { type Page, page, resourcePage } from '../pageChunks.ts'

/** An entry of the console's bar with its routes. */
export interface ConsoleSection {
  /** Path from the root, parameters as `:name`. */
  readonly path: string
  readonly label: TextKey
  readonly icon: ComponentType
  readonly page: Page
  /** Makes the section a react-admin resource, named by the path. */
  readonly resource?: AnyEntry
  /** Routes of the section without an entry in the bar. */
  readonly routes?: readonly { readonly path: string; readonly page: Page }[] | undefined
}

const declared = (entry: AnyEntry, routes: ConsoleSection['routes'] = []): ConsoleSection => ({
  routes,
  path: `/${entry.name}`,
  label: entry.label,
  icon: entry.icon,
  resource: entry,
  page: resourcePage(entry.page),
})

/** The console's pages in the order of its bar (administration §2.2), visible to all staff. */
export const CONSOLE_SECTIONS: readonly ConsoleSection[] = [
  declared(CONSOLE_RESOURCES.organisations, [
    {
      path: '/management/users/:id',
      page: resourcePage(
        withLayout(
          async () => (await import('#src/management/OrganisationUsersPage.tsx')).OrganisationUsersPage,
        ),
      ),
    },
  ]),
  declared(CONSOLE_RESOURCES.incidents, [
    {
      path: '/management/incidents/:id',
      page: page(() => import('#src/management/OrganisationPage.tsx'), 'OrganisationPage'),
    },
  ]),
  {
    path: '/management/config',
    label: 'management.sections.config',
    icon: TuneRounded,
    page: page(() => import('#src/management/ConfigPage.tsx'), 'GlobalConfigPage'),
    routes: [
      {
        path: '/management/config/:id',
        page: page(() => import('#src/management/ConfigPage.tsx'), 'EnterpriseConfigPage'),
      },
    ],
  },
  {
    path: '/management/roles-permissions',
    label: 'management.sections.roles',
    icon: VerifiedUserRounded,
    page: page(() => import('#src/management/RolesPage.tsx'), 'RolesPage'),
  },
  declared(CONSOLE_RESOURCES.staff),
  {
    path: '/management/instance',
    label: 'management.sections.instance',
    icon: DnsRounded,
    page: page(() => import('#src/management/InstancePage.tsx'), 'InstancePage'),
  },
  declared(CONSOLE_RESOURCES.auditLog),
]

export const consoleSectionOf = (pathname: string): ConsoleSection | undefined =>
  CONSOLE_SECTIONS.find(
    ({ path, routes = [] }) =>
      pathname === path ||
      pathname.startsWith(`${path}/`) ||
      routes.some((route) => pathname.startsWith(route.path.split(':', 1)[0]!)),
  )
