import AssignmentTurnedInRounded from '@mui/icons-material/AssignmentTurnedInRounded'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import ContactsRounded from '@mui/icons-material/ContactsRounded'
import ChatRounded from '@mui/icons-material/ChatRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import DashboardRounded from '@mui/icons-material/DashboardRounded'
import BookRounded from '@mui/icons-material/BookRounded'
import FactCheckRounded from '@mui/icons-material/FactCheckRounded'
import FolderRounded from '@mui/icons-material/FolderRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import TaskAltRounded from '@mui/icons-material/TaskAltRounded'
import TuneRounded from '@mui/icons-material/TuneRounded'
import type { ComponentType } from 'react'

import { chatAccess } from '#contract/chat/access.ts'
import { configItemsAccess } from '#contract/config-items/access.ts'
import { contactsAccess } from '#contract/contacts/access.ts'
import { dashboardApi } from '#contract/dashboard/api.ts'
import { followUpsAccess } from '#contract/follow-ups/access.ts'
import { filesAccess } from '#contract/files/access.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import type { Access } from '#contract/kit/access.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { readinessAccess } from '#contract/readiness/access.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { RESOURCES } from '#resources/index.ts'
import type { AnyEntry } from '#src/kit/resource/resource.ts'

import { chunk, type Page, page, resourcePage } from './pageChunks.ts'
import { PAGE_FILES } from './pageFiles.ts'

type Group = keyof typeof RESOURCES

export interface Route {
  /** Path from the root, parameters as `:name`. */
  readonly path: string
  /** Access of the call that the page makes. */
  readonly access: Access
  readonly page: Page
}

/** An entry of the menu with its routes. */
export interface Section extends Route {
  readonly label: TextKey
  readonly icon: ComponentType
  /** Entries of one group stand together under its name. */
  readonly group?: Group
  /** True for a page that the server keeps from external people. */
  readonly isInternal?: boolean
  /** Optional parameter of the page, after the path. */
  readonly parameter?: string
  /** Routes of the section without an entry in the menu. */
  readonly routes?: readonly Route[]
  /** Makes the section a react-admin resource, named by the path. */
  readonly resource?: Pick<AnyEntry, 'api' | 'recordRepresentation' | 'hasCreate' | 'hasEdit'>
}

const declared = (group: Group): readonly Section[] =>
  RESOURCES[group].map((entry) => ({
    path: `/${entry.name}`,
    label: entry.label,
    icon: entry.icon,
    group,
    access: entry.access,
    resource: entry,
    page: resourcePage(entry.page),
  }))

/** Menu, routes and access of all pages, in the order of the menu. Declared resources come from `resources/index.ts`. */
export const SECTIONS: readonly Section[] = [
  {
    path: '/',
    label: 'app.sections.dashboard',
    icon: DashboardRounded,
    access: dashboardApi.get.access,
    // The dashboard is the first page of most visits, so it waits only for its own messages.
    page: chunk(async () => (await PAGE_FILES['/']()).DashboardPage),
  },
  {
    path: '/incidents',
    label: 'app.sections.incidents',
    icon: CrisisAlertRounded,
    access: incidentsAccess.read,
    page: page(PAGE_FILES['/incidents'], 'IncidentFeedPage'),
    routes: [
      {
        path: '/incidents/create',
        access: incidentsAccess.write,
        page: page(PAGE_FILES['/incidents/create'], 'IncidentFormPage'),
      },
      {
        path: '/incidents/figures',
        access: incidentsAccess.read,
        page: page(PAGE_FILES['/incidents/figures'], 'FiguresPage'),
      },
      {
        path: '/incidents/:id',
        access: incidentsAccess.read,
        page: page(PAGE_FILES['/incidents/:id'], 'IncidentPage'),
      },
      {
        path: '/incidents/:id/edit',
        access: incidentsAccess.write,
        page: page(PAGE_FILES['/incidents/:id/edit'], 'IncidentFormPage'),
      },
      {
        path: '/incidents/:id/post-incident-analysis',
        access: incidentsAccess.write,
        page: page(PAGE_FILES['/incidents/:id/post-incident-analysis'], 'AnalysisPage'),
      },
    ],
  },
  {
    path: '/my-tasks',
    label: 'app.sections.myTasks',
    icon: TaskAltRounded,
    access: incidentsAccess.tasks,
    page: page(PAGE_FILES['/my-tasks'], 'MyTasksPage'),
  },
  {
    path: '/follow-ups',
    label: 'app.sections.followUps',
    icon: AssignmentTurnedInRounded,
    access: followUpsAccess.read,
    isInternal: true,
    page: page(PAGE_FILES['/follow-ups'], 'FollowUpsPage'),
  },
  {
    path: '/playbooks',
    label: 'app.sections.playbooks',
    icon: BookRounded,
    access: playbooksAccess.read,
    page: page(PAGE_FILES['/playbooks'], 'PlaybooksPage'),
    parameter: ':id?',
  },
  {
    path: '/chat',
    label: 'app.sections.chat',
    icon: ChatRounded,
    access: chatAccess,
    page: page(PAGE_FILES['/chat'], 'ChatPage'),
    parameter: ':id?',
  },
  {
    path: '/secure-file-storage',
    label: 'app.sections.files',
    icon: FolderRounded,
    access: filesAccess.use,
    page: page(PAGE_FILES['/secure-file-storage'], 'FilesPage'),
  },
  {
    path: '/mass-notifications',
    label: 'app.sections.massNotifications',
    icon: CampaignRounded,
    group: 'massNotifications',
    access: massNotificationsAccess,
    resource: {
      api: async () => (await import('#contract/mass-notifications/api.ts')).massNotificationsApi,
      recordRepresentation: 'title',
    },
    page: resourcePage(async () => (await PAGE_FILES['/mass-notifications']()).MassNotificationsPage),
    routes: [
      {
        path: '/mass-notifications/history/:id',
        access: massNotificationsAccess,
        page: page(PAGE_FILES['/mass-notifications/history/:id'], 'NotificationPage'),
      },
      {
        path: '/mass-notifications/approvals/:id',
        access: massNotificationsAccess,
        page: page(PAGE_FILES['/mass-notifications/approvals/:id'], 'ApprovalPage'),
      },
    ],
  },
  {
    path: '/mass-notifications/contacts',
    label: 'app.sections.contacts',
    icon: ContactsRounded,
    group: 'massNotifications',
    access: contactsAccess,
    resource: {
      api: async () => {
        const { contactsApi } = await import('#contract/contacts/api.ts')
        return { ...contactsApi, list: contactsApi.asList }
      },
      recordRepresentation: ({ name, email }) => name || email,
    },
    page: resourcePage(async () => (await PAGE_FILES['/mass-notifications/contacts']()).ContactsPage),
  },
  ...declared('massNotifications'),
  {
    path: '/mass-notifications/send',
    label: 'app.sections.sendNotification',
    icon: SendRounded,
    group: 'massNotifications',
    access: massNotificationsAccess,
    page: page(PAGE_FILES['/mass-notifications/send'], 'SendNotificationPage'),
  },
  ...declared('administration'),
  {
    path: '/readiness',
    label: 'app.sections.readiness',
    icon: FactCheckRounded,
    group: 'administration',
    access: readinessAccess,
    page: page(PAGE_FILES['/readiness'], 'ReadinessPage'),
  },
  ...declared('settings'),
  {
    path: '/settings/organisation',
    label: 'app.sections.organisation',
    icon: TuneRounded,
    group: 'settings',
    access: configItemsAccess,
    page: page(PAGE_FILES['/settings/organisation'], 'OrganisationSettingsPage'),
  },
]

/** The sections that are react-admin resources, named by their paths. */
export const SECTION_RESOURCES = SECTIONS.flatMap(({ path, label, icon, resource }) =>
  resource ? [{ ...resource, name: path.slice(1), label, icon }] : [],
)

/** Landing pages for visitors without the dashboard: the first allowed one (decisions §2). */
export const LANDINGS: readonly string[] = ['/', '/chat', '/incidents', '/playbooks', '/secure-file-storage']

/** Sections in the bar at the bottom of a phone. */
export const MOST_USED: readonly string[] = ['/', '/incidents', '/chat', '/secure-file-storage']
