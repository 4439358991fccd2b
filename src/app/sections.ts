import CampaignRounded from '@mui/icons-material/CampaignRounded'
import ContactsRounded from '@mui/icons-material/ContactsRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import DashboardRounded from '@mui/icons-material/DashboardRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import KeyRounded from '@mui/icons-material/KeyRounded'
import PeopleRounded from '@mui/icons-material/PeopleRounded'
import PolicyRounded from '@mui/icons-material/PolicyRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import { type ComponentType, createElement, type ReactNode } from 'react'

import { apiKeysAccess } from '#contract/api-keys/access.ts'
import { auditLogAccess } from '#contract/audit-log/access.ts'
import { contactsAccess } from '#contract/contacts/access.ts'
import { dashboardApi } from '#contract/dashboard/api.ts'
import { groupsAccess } from '#contract/groups/access.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import type { Access } from '#contract/kit/access.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { notificationTemplatesAccess } from '#contract/notification-templates/access.ts'
import { usersAccess } from '#contract/users/access.ts'
import type { ResourceApi } from '#providers/dataProvider.ts'
import { loadTexts, type TextKey } from '#providers/i18nProvider.ts'
import { loadSideList, preloadLayout } from '#src/kit/resource/resourceLayout.ts'

/** A page in a chunk of its own. */
export interface Page {
  (): ReactNode
  /** Loads the chunk, so that the page is there when it is shown. */
  readonly preload: () => void
}
type Group = 'massNotifications' | 'administration' | 'settings'

export interface Route {
  /** Below the root, parameters as `:name`. */
  readonly path: string
  /** Who may see it: the access of the call that the page makes. */
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
  readonly resource?: () => Promise<ResourceApi>
}

/**
 * What has loaded is shown at once, whereas `lazy` shows what it waits for also where there is nothing to wait for any
 * more; and, unlike with `use`, a test need not await what a click begins to load.
 */
function chunk(load: () => Promise<ComponentType>): Page {
  let result: { readonly page: ComponentType } | { readonly error: unknown } | undefined
  let loading: Promise<void> | undefined
  const start = () =>
    (loading ??= load().then(
      (page) => void (result = { page }),
      (error: unknown) => void (result = { error }),
    ))
  const Chunk = () => {
    // Whoever throws a promise is rendered again once it is settled.
    if (!result) throw start()
    if ('error' in result) throw result.error
    return createElement(result.page)
  }
  return Object.assign(Chunk, { preload: () => void start() })
}

/** A page with the texts of all pages. */
const page = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Page =>
  chunk(async () => {
    const [pages] = await Promise.all([load(), loadTexts()])
    return pages[name]
  })

/** The page of a declared resource, or one like it, whose table or cards load beside it. */
const resourcePage: typeof page = (load, name) =>
  page(() => {
    preloadLayout()
    return load()
  }, name)

/** The page of a declared resource with a list at the side, which loads beside it. */
const sideListPage: typeof page = (load, name) =>
  page(() => {
    void loadSideList()
    return load()
  }, name)

/** Menu, routes and access on one page, in the order of the menu. */
export const SECTIONS: readonly Section[] = [
  {
    path: '/',
    label: 'app.sections.dashboard',
    icon: DashboardRounded,
    access: dashboardApi.get.access,
    // The first page of most visits: it waits for no texts but its own.
    page: chunk(async () => (await import('#src/dashboard/DashboardPage.tsx')).DashboardPage),
  },
  {
    path: '/incidents',
    label: 'app.sections.incidents',
    icon: CrisisAlertRounded,
    access: incidentsAccess.read,
    page: page(() => import('#src/incidents/list/IncidentFeedPage.tsx'), 'IncidentFeedPage'),
    routes: [
      {
        path: '/incidents/create',
        access: incidentsAccess.write,
        page: page(() => import('#src/incidents/form/IncidentFormPage.tsx'), 'IncidentFormPage'),
      },
      {
        path: '/incidents/:id',
        access: incidentsAccess.read,
        page: page(() => import('#src/incidents/page/IncidentPage.tsx'), 'IncidentPage'),
      },
      {
        path: '/incidents/:id/edit',
        access: incidentsAccess.write,
        page: page(() => import('#src/incidents/form/IncidentFormPage.tsx'), 'IncidentFormPage'),
      },
      {
        path: '/incidents/:id/post-incident-analysis',
        access: incidentsAccess.write,
        page: page(() => import('#src/incidents/report/AnalysisPage.tsx'), 'AnalysisPage'),
      },
    ],
  },
  {
    path: '/mass-notifications',
    label: 'app.sections.massNotifications',
    icon: CampaignRounded,
    group: 'massNotifications',
    access: massNotificationsAccess,
    resource: async () => (await import('#contract/mass-notifications/api.ts')).massNotificationsApi,
    page: resourcePage(
      () => import('#src/mass-notifications/MassNotificationsPage.tsx'),
      'MassNotificationsPage',
    ),
    routes: [
      {
        path: '/mass-notifications/history/:id',
        access: massNotificationsAccess,
        page: page(() => import('#src/mass-notifications/NotificationPage.tsx'), 'NotificationPage'),
      },
    ],
  },
  {
    path: '/mass-notifications/contacts',
    label: 'app.sections.contacts',
    icon: ContactsRounded,
    group: 'massNotifications',
    access: contactsAccess,
    page: resourcePage(() => import('#src/contacts/ContactsPage.tsx'), 'ContactsPage'),
  },
  {
    path: '/mass-notifications/templates',
    label: 'app.sections.notificationTemplates',
    icon: EditNoteRounded,
    group: 'massNotifications',
    access: notificationTemplatesAccess,
    resource: async () => (await import('#contract/notification-templates/api.ts')).notificationTemplatesApi,
    page: sideListPage(() => import('#resources/notification-templates.tsx'), 'notificationTemplates'),
  },
  {
    path: '/mass-notifications/send',
    label: 'app.sections.sendNotification',
    icon: SendRounded,
    group: 'massNotifications',
    access: massNotificationsAccess,
    page: page(() => import('#src/mass-notifications/SendNotificationPage.tsx'), 'SendNotificationPage'),
  },
  {
    path: '/user-admin',
    label: 'app.sections.users',
    icon: PeopleRounded,
    group: 'administration',
    access: usersAccess,
    resource: async () => (await import('#contract/users/api.ts')).usersApi,
    page: resourcePage(() => import('#resources/users.tsx'), 'users'),
  },
  {
    path: '/groups',
    label: 'app.sections.groups',
    icon: GroupsRounded,
    group: 'administration',
    access: groupsAccess,
    resource: async () => (await import('#contract/groups/api.ts')).groupsApi,
    page: sideListPage(() => import('#resources/groups.tsx'), 'groups'),
  },
  {
    path: '/audit-log',
    label: 'app.sections.auditLog',
    icon: PolicyRounded,
    group: 'administration',
    access: auditLogAccess,
    resource: async () => (await import('#contract/audit-log/api.ts')).auditLogApi,
    page: resourcePage(() => import('#resources/audit-log.tsx'), 'auditLog'),
  },
  {
    path: '/settings/api-keys',
    label: 'app.sections.apiKeys',
    icon: KeyRounded,
    group: 'settings',
    access: apiKeysAccess,
    resource: async () => (await import('#contract/api-keys/api.ts')).apiKeysApi,
    page: resourcePage(() => import('#resources/api-keys.tsx'), 'apiKeys'),
  },
]

/** Where a visitor is sent who may not see the dashboard: the first of these that is allowed (decisions §2). */
export const LANDINGS: readonly string[] = ['/', '/chat', '/incidents', '/playbooks', '/secure-file-storage']

/** The most used sections, for the bar at the bottom of a phone. */
export const MOST_USED: readonly string[] = ['/', '/incidents', '/chat', '/secure-file-storage']
