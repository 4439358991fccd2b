import { RESOURCE_FILES } from '#resources/files.ts'
import { withLayout } from '#src/kit/resource/resourceLayout.ts'

/** Loads the file of each page, by its route. */
export const PAGE_FILES = {
  '/': () => import('#src/dashboard/DashboardPage.tsx'),
  '/incidents': () => import('#src/incidents/list/IncidentFeedPage.tsx'),
  '/incidents/create': () => import('#src/incidents/form/IncidentFormPage.tsx'),
  '/incidents/:id': () => import('#src/incidents/page/IncidentPage.tsx'),
  '/incidents/:id/edit': () => import('#src/incidents/form/IncidentFormPage.tsx'),
  '/incidents/:id/post-incident-analysis': () => import('#src/incidents/report/AnalysisPage.tsx'),
  '/playbooks': () => import('#src/playbooks/PlaybooksPage.tsx'),
  '/chat': () => import('#src/chat/ChatPage.tsx'),
  '/secure-file-storage': () => import('#src/files/FilesPage.tsx'),
  '/mass-notifications': withLayout(() => import('#src/mass-notifications/MassNotificationsPage.tsx')),
  '/mass-notifications/history/:id': () => import('#src/mass-notifications/NotificationPage.tsx'),
  '/mass-notifications/contacts': withLayout(() => import('#src/contacts/ContactsPage.tsx')),
  '/mass-notifications/send': () => import('#src/mass-notifications/SendNotificationPage.tsx'),
  '/settings/organisation': () => import('#src/config-items/OrganisationSettingsPage.tsx'),
}

/** Pages whose addresses go on: with the record that is shown beside the list. */
const WITH_RECORD = /^\/(playbooks|chat)\/[^/]+$/
const loaders: readonly (readonly [route: string, load: () => Promise<unknown>])[] = [
  ...Object.entries(PAGE_FILES),
  ...Object.entries(RESOURCE_FILES).map(([name, load]) => [`/${name}`, load] as const),
]

/** What loads the file of the page at an address; nothing for an address that no page has. */
export function pageFileAt(path: string): (() => Promise<unknown>) | undefined {
  const [, list] = WITH_RECORD.exec(path) ?? []
  const route = list === undefined ? path : `/${list}`
  // As in the router, a route that names its last part comes before one that takes any.
  const found =
    loaders.find(([one]) => one === route) ??
    loaders.find(([one]) => new RegExp(`^${one.replaceAll(/:\w+/g, '[^/]+')}$`).test(route))
  return found?.[1]
}

/** Loads the file of the page at an address, and the texts that all pages but the dashboard wait for, beside the application. */
export function loadPageAt(path: string): void {
  // What does not load is asked for again by the page itself, which says so.
  pageFileAt(path)?.().catch(() => undefined)
  if (path !== '/') import('#providers/i18n/english.ts').catch(() => undefined)
}
