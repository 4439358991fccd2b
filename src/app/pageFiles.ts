import { RESOURCE_FILES } from '#resources/files.ts'
import { withLayout } from '#src/kit/resource/resourceLayout.ts'

/** The dynamic import of each page's file, by route. */
export const PAGE_FILES = {
  '/': () => import('#src/dashboard/DashboardPage.tsx'),
  '/incidents': () => import('#src/incidents/list/IncidentFeedPage.tsx'),
  '/incidents/create': () => import('#src/incidents/form/IncidentFormPage.tsx'),
  '/incidents/figures': () => import('#src/incidents/figures/FiguresPage.tsx'),
  '/incidents/:id': () => import('#src/incidents/page/IncidentPage.tsx'),
  '/incidents/:id/edit': () => import('#src/incidents/form/IncidentFormPage.tsx'),
  '/incidents/:id/post-incident-analysis': () => import('#src/incidents/report/AnalysisPage.tsx'),
  '/my-tasks': () => import('#src/incidents/tasks/MyTasksPage.tsx'),
  '/follow-ups': () => import('#src/incidents/follow-ups/FollowUpsPage.tsx'),
  '/playbooks': () => import('#src/playbooks/PlaybooksPage.tsx'),
  '/chat': () => import('#src/chat/ChatPage.tsx'),
  '/secure-file-storage': () => import('#src/files/FilesPage.tsx'),
  '/mass-notifications': withLayout(() => import('#src/mass-notifications/MassNotificationsPage.tsx')),
  '/mass-notifications/approvals/:id': () => import('#src/mass-notifications/ApprovalPage.tsx'),
  '/mass-notifications/history/:id': () => import('#src/mass-notifications/NotificationPage.tsx'),
  '/mass-notifications/contacts': withLayout(() => import('#src/contacts/ContactsPage.tsx')),
  '/mass-notifications/send': () => import('#src/mass-notifications/SendNotificationPage.tsx'),
  '/readiness': () => import('#src/readiness/ReadinessPage.tsx'),
  '/settings/organisation': () => import('#src/config-items/OrganisationSettingsPage.tsx'),
}

/** Addresses that name the record shown beside the list. */
const WITH_RECORD = /^\/(playbooks|chat)\/[^/]+$/
const loaders: readonly (readonly [route: string, load: () => Promise<unknown>])[] = [
  ...Object.entries(PAGE_FILES),
  ...Object.entries(RESOURCE_FILES).map(([name, load]) => [`/${name}`, load] as const),
]

/** Returns the import of the page at an address; undefined for an unknown address. */
export function pageFileAt(path: string): (() => Promise<unknown>) | undefined {
  const [, list] = WITH_RECORD.exec(path) ?? []
  const route = list === undefined ? path : `/${list}`
  // Literal routes win over parameters, as in the router.
  const found =
    loaders.find(([one]) => one === route) ??
    loaders.find(([one]) => new RegExp(`^${one.replaceAll(/:\w+/g, '[^/]+')}$`).test(route))
  return found?.[1]
}

/**
 * Preloads the file of the page at an address, and the messages that all pages but the dashboard need, beside
 * the application.
 */
export function loadPageAt(path: string): void {
  // The page itself retries a failed load, and reports it.
  pageFileAt(path)?.().catch(() => undefined)
  if (path !== '/') import('#providers/i18n/english.ts').catch(() => undefined)
}
