import { accountApi } from '#contract/account/api.ts'
import { apiKeysApi } from '#contract/api-keys/api.ts'
import { attachmentsApi } from '#contract/attachments/api.ts'
import { auditLogApi } from '#contract/audit-log/api.ts'
import { channelsAccess } from '#contract/channels/access.ts'
import { callsApi } from '#contract/calls/api.ts'
import { channelsApi } from '#contract/channels/api.ts'
import { chatApi } from '#contract/chat/api.ts'
import { confirmationsAccess } from '#contract/confirmations/access.ts'
import { confirmationsApi } from '#contract/confirmations/api.ts'
import { configApi } from '#contract/config/api.ts'
import { configItemsApi, managementConfigItemsApi } from '#contract/config-items/api.ts'
import { contactsApi } from '#contract/contacts/api.ts'
import { dashboardApi } from '#contract/dashboard/api.ts'
import { declarationsApi } from '#contract/declarations/api.ts'
import { declarationsAccess } from '#contract/declarations/access.ts'
import { demoApi } from '#contract/demo/api.ts'
import { dutiesAccess } from '#contract/duties/access.ts'
import { dutiesApi } from '#contract/duties/api.ts'
import { featuresApi } from '#contract/features/api.ts'
import { fileLinksApi } from '#contract/file-links/api.ts'
import { filesAccess } from '#contract/files/access.ts'
import { filesApi } from '#contract/files/api.ts'
import { READING_VERBS } from '#contract/files/rules.ts'
import { followUpsApi } from '#contract/follow-ups/api.ts'
import { groupsApi } from '#contract/groups/api.ts'
import { importColumnsApi } from '#contract/import-columns/api.ts'
import { importsAccess } from '#contract/imports/access.ts'
import { importsApi } from '#contract/imports/api.ts'
import { incidentDecisionsApi } from '#contract/incident-decisions/api.ts'
import { incidentNudgesApi } from '#contract/incident-nudges/api.ts'
import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import { incidentReportsApi } from '#contract/incident-reports/api.ts'
import { incidentTimelineApi } from '#contract/incident-timeline/api.ts'
import { incidentFieldsApi } from '#contract/incident-fields/api.ts'
import { incidentKindsAccess } from '#contract/incident-kinds/access.ts'
import { incidentKindsApi } from '#contract/incident-kinds/api.ts'
import { incidentRolesAccess } from '#contract/incident-roles/access.ts'
import { incidentRolesApi } from '#contract/incident-roles/api.ts'
import { incidentLabelsApi } from '#contract/incident-labels/api.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { has, signedIn } from '#contract/kit/access.ts'
import type { Api } from '#contract/kit/endpoint.ts'
import { liveApi } from '#contract/kit/live.ts'
import { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import { instanceApi } from '#contract/instance/api.ts'
import { providerLogApi } from '#contract/provider-log/api.ts'
import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import { managedUsersApi } from '#contract/managed-users/api.ts'
import { massNotificationsApi } from '#contract/mass-notifications/api.ts'
import { notificationApprovalsApi } from '#contract/notification-approvals/api.ts'
import { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import { notificationsApi } from '#contract/notifications/api.ts'
import { organisationAccessApi } from '#contract/organisation-access/api.ts'
import { organisationsApi } from '#contract/organisations/api.ts'
import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { playbookExportsApi } from '#contract/playbook-exports/api.ts'
import { playbookImportsApi } from '#contract/playbook-imports/api.ts'
import { playbookSharesApi } from '#contract/playbook-shares/api.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import { readinessApi } from '#contract/readiness/api.ts'
import { roomExportsApi } from '#contract/room-exports/api.ts'
import { sessionsApi } from '#contract/sessions/api.ts'
import { situationReportsApi } from '#contract/situation-reports/api.ts'
import { calendarFeedApi } from '#contract/calendar-feed/api.ts'
import { incidentFiguresApi } from '#contract/incident-figures/api.ts'
import { stakeholderLinksApi } from '#contract/stakeholder-links/api.ts'
import { staffApi } from '#contract/staff/api.ts'
import { suppressionsAccess } from '#contract/suppressions/access.ts'
import { suppressionsApi } from '#contract/suppressions/api.ts'
import { usersApi } from '#contract/users/api.ts'
import { webhooksAccess } from '#contract/webhooks/access.ts'
import { webhooksApi } from '#contract/webhooks/api.ts'
import { managementWelcomeApi, welcomeApi } from '#contract/welcome/api.ts'
import { verificationsApi } from '#contract/verifications/api.ts'
import { accountRoutes } from '#server/account/routes.ts'
import { apiKeysRoutes } from '#server/api-keys/routes.ts'
import { attachmentsRoutes } from '#server/attachments/routes.ts'
import { auditLogRoutes } from '#server/audit-log/routes.ts'
import { callsHooks } from '#server/calls/hooks.ts'
import { callsRoutes } from '#server/calls/routes.ts'
import { channelsRoutes } from '#server/channels/routes.ts'
import { chatHooks } from '#server/chat/hooks.ts'
import { chatRoutes } from '#server/chat/routes.ts'
import { confirmationsRoutes } from '#server/confirmations/routes.ts'
import { configRoutes } from '#server/config/routes.ts'
import { configItemsRoutes, managementConfigItemsRoutes } from '#server/config-items/routes.ts'
import { contactsRoutes } from '#server/contacts/routes.ts'
import { dashboardRoutes } from '#server/dashboard/routes.ts'
import { declarationsRoutes } from '#server/declarations/routes.ts'
import { demoRoutes } from '#server/demo/routes.ts'
import { dutiesRoutes } from '#server/duties/routes.ts'
import { featuresRoutes } from '#server/features/routes.ts'
import { fileLinksHooks } from '#server/file-links/hooks.ts'
import { fileLinksRoutes } from '#server/file-links/routes.ts'
import { fileTextsHooks } from '#server/file-texts/hooks.ts'
import { filesRoutes } from '#server/files/routes.ts'
import { followUpsRoutes } from '#server/follow-ups/routes.ts'
import { groupsRoutes } from '#server/groups/routes.ts'
import { importColumnsRoutes } from '#server/import-columns/routes.ts'
import { importsRoutes } from '#server/imports/routes.ts'
import { incidentDecisionsRoutes } from '#server/incident-decisions/routes.ts'
import { incidentFieldsRoutes } from '#server/incident-fields/routes.ts'
import { incidentKindsRoutes } from '#server/incident-kinds/routes.ts'
import { incidentNudgesRoutes } from '#server/incident-nudges/routes.ts'
import { incidentPlaybooksHooks } from '#server/incident-playbooks/hooks.ts'
import { incidentPlaybooksRoutes } from '#server/incident-playbooks/routes.ts'
import { incidentReportsRoutes } from '#server/incident-reports/routes.ts'
import { incidentTimelineRoutes } from '#server/incident-timeline/routes.ts'
import { incidentRolesHooks } from '#server/incident-roles/hooks.ts'
import { incidentRolesRoutes } from '#server/incident-roles/routes.ts'
import { incidentLabelsRoutes } from '#server/incident-labels/routes.ts'
import { incidentsHooks } from '#server/incidents/hooks.ts'
import { incidentsRoutes } from '#server/incidents/routes.ts'
import type { HookHandlers } from '#server/kit/database/hooks.ts'
import { type ConsoleHints, PROVIDER_STREAM } from '#server/kit/live/console-live.ts'
import type { Audience } from '#server/kit/live/live.ts'
import { defineNoun, type Noun } from '#server/kit/noun.ts'
import { managedIncidentsRoutes } from '#server/managed-incidents/routes.ts'
import { instanceRoutes } from '#server/instance/routes.ts'
import { providerLogRoutes } from '#server/provider-log/routes.ts'
import { managedOrganisationsRoutes } from '#server/managed-organisations/routes.ts'
import { managedUsersRoutes } from '#server/managed-users/routes.ts'
import { massNotificationsRoutes } from '#server/mass-notifications/routes.ts'
import { notificationApprovalsRoutes } from '#server/notification-approvals/routes.ts'
import { notificationTemplatesRoutes } from '#server/notification-templates/routes.ts'
import { notificationsRoutes } from '#server/notifications/routes.ts'
import { organisationAccessRoutes } from '#server/organisation-access/routes.ts'
import { organisationsRoutes } from '#server/organisations/routes.ts'
import { playbookCategoriesRoutes } from '#server/playbook-categories/routes.ts'
import { playbookExportsRoutes } from '#server/playbook-exports/routes.ts'
import { playbookImportsRoutes } from '#server/playbook-imports/routes.ts'
import { playbookSharesRoutes } from '#server/playbook-shares/routes.ts'
import { playbooksHooks } from '#server/playbooks/hooks.ts'
import { playbooksRoutes } from '#server/playbooks/routes.ts'
import { readinessRoutes } from '#server/readiness/routes.ts'
import { roomExportsHooks } from '#server/room-exports/hooks.ts'
import { roomExportsRoutes } from '#server/room-exports/routes.ts'
import { sessionsHooks } from '#server/sessions/hooks.ts'
import { liveRoutes, sessionsRoutes } from '#server/sessions/routes.ts'
import { situationReportsRoutes } from '#server/situation-reports/routes.ts'
import { calendarFeedHooks } from '#server/calendar-feed/hooks.ts'
import { calendarFeedRoutes } from '#server/calendar-feed/routes.ts'
import { incidentFiguresRoutes } from '#server/incident-figures/routes.ts'
import { stakeholderLinksRoutes } from '#server/stakeholder-links/routes.ts'
import { staffRoutes } from '#server/staff/routes.ts'
import { suppressionsRoutes } from '#server/suppressions/routes.ts'
import { usersRoutes } from '#server/users/routes.ts'
import { verificationsRoutes } from '#server/verifications/routes.ts'
import { webhooksRoutes } from '#server/webhooks/routes.ts'
import { managementWelcomeRoutes, welcomeRoutes } from '#server/welcome/routes.ts'

const readsIncidents = has('incidents-read-only', 'incidents-full-access')

/** All nouns below `/api`, in the order of the documentation. The key is the noun's name in the event stream. */
export const NOUNS: { readonly [noun: string]: Noun } = {
  sessions: defineNoun({
    api: sessionsApi,
    routes: sessionsRoutes,
    audience: 'nobody',
    hooks: sessionsHooks,
    needsNoDiskSpace: true,
  }),
  verifications: defineNoun({
    api: verificationsApi,
    routes: verificationsRoutes,
    audience: 'nobody',
    needsNoDiskSpace: true,
  }),
  account: defineNoun({ api: accountApi, routes: accountRoutes, audience: 'nobody' }),
  config: defineNoun({ api: configApi, routes: configRoutes, audience: 'nobody' }),
  // The live hub itself reconnects everybody when an item changes.
  'config-items': defineNoun({ api: configItemsApi, routes: configItemsRoutes, audience: 'nobody' }),
  dashboard: defineNoun({ api: dashboardApi, routes: dashboardRoutes, audience: 'nobody' }),
  demo: defineNoun({ api: demoApi, routes: demoRoutes, audience: 'nobody' }),
  incidents: defineNoun({
    api: incidentsApi,
    routes: incidentsRoutes,
    audience: readsIncidents,
    parts: ['activities', 'check-ins', 'incident-answers'],
    hooks: incidentsHooks,
  }),
  'incident-kinds': defineNoun({
    api: incidentKindsApi,
    routes: incidentKindsRoutes,
    audience: incidentKindsAccess.read,
  }),
  'incident-fields': defineNoun({
    api: incidentFieldsApi,
    routes: incidentFieldsRoutes,
    audience: incidentKindsAccess.read,
  }),
  // Labels change with their incident, whose events say so.
  'incident-labels': defineNoun({ api: incidentLabelsApi, routes: incidentLabelsRoutes, audience: 'nobody' }),
  'incident-playbooks': defineNoun({
    api: incidentPlaybooksApi,
    routes: incidentPlaybooksRoutes,
    audience: readsIncidents,
    hooks: incidentPlaybooksHooks,
  }),
  'incident-timeline': defineNoun({
    api: incidentTimelineApi,
    routes: incidentTimelineRoutes,
    audience: readsIncidents,
  }),
  'incident-decisions': defineNoun({
    api: incidentDecisionsApi,
    routes: incidentDecisionsRoutes,
    audience: readsIncidents,
  }),
  'incident-roles': defineNoun({
    api: incidentRolesApi,
    routes: incidentRolesRoutes,
    audience: incidentRolesAccess.read,
    hooks: incidentRolesHooks,
  }),
  'situation-reports': defineNoun({
    api: situationReportsApi,
    routes: situationReportsRoutes,
    audience: incidentRolesAccess.read,
  }),
  'follow-ups': defineNoun({
    api: followUpsApi,
    routes: followUpsRoutes,
    audience: incidentRolesAccess.read,
  }),
  duties: defineNoun({ api: dutiesApi, routes: dutiesRoutes, audience: dutiesAccess.read }),
  'calendar-feed': defineNoun({
    api: calendarFeedApi,
    routes: calendarFeedRoutes,
    audience: 'nobody',
    hooks: calendarFeedHooks,
  }),
  'incident-figures': defineNoun({
    api: incidentFiguresApi,
    routes: incidentFiguresRoutes,
    audience: 'nobody',
  }),
  'stakeholder-links': defineNoun({
    api: stakeholderLinksApi,
    routes: stakeholderLinksRoutes,
    audience: incidentRolesAccess.read,
  }),
  'incident-nudges': defineNoun({
    api: incidentNudgesApi,
    routes: incidentNudgesRoutes,
    audience: 'nobody',
  }),
  'incident-reports': defineNoun({
    api: incidentReportsApi,
    routes: incidentReportsRoutes,
    audience: 'nobody',
  }),
  attachments: defineNoun({
    api: attachmentsApi,
    routes: attachmentsRoutes,
    audience: readsIncidents,
    needsNoDiskSpace: ['downloadTicket'],
  }),
  // Members receive the chat as a stream of its own (decision 037).
  chat: defineNoun({
    api: chatApi,
    routes: chatRoutes,
    audience: 'nobody',
    hooks: chatHooks,
    needsNoDiskSpace: ['fileTicket'],
  }),
  // Rooms include their participants, and rings have frames of their own (decision 046).
  calls: defineNoun({ api: callsApi, routes: callsRoutes, audience: 'nobody', hooks: callsHooks }),
  channels: defineNoun({
    api: channelsApi,
    routes: channelsRoutes,
    audience: channelsAccess,
    parts: ['rooms'],
  }),
  confirmations: defineNoun({
    api: confirmationsApi,
    routes: confirmationsRoutes,
    // Events name rooms that not everybody is in.
    audience: { hinted: confirmationsAccess, unsaid: ['reminded'] },
  }),
  'room-exports': defineNoun({
    api: roomExportsApi,
    routes: roomExportsRoutes,
    audience: 'nobody',
    hooks: roomExportsHooks,
  }),
  notifications: defineNoun({ api: notificationsApi, routes: notificationsRoutes, audience: signedIn }),
  features: defineNoun({ api: featuresApi, routes: featuresRoutes, audience: 'nobody' }),
  organisations: defineNoun({ api: organisationsApi, routes: organisationsRoutes, audience: 'nobody' }),
  users: defineNoun({
    api: usersApi,
    routes: usersRoutes,
    audience: signedIn,
  }),
  groups: defineNoun({
    api: groupsApi,
    routes: groupsRoutes,
    audience: has('groups-read-only', 'group-admin'),
  }),
  playbooks: defineNoun({
    api: playbooksApi,
    routes: playbooksRoutes,
    audience: playbooksAccess.read,
    hooks: playbooksHooks,
    parts: ['playbook-editors'],
  }),
  'playbook-categories': defineNoun({
    api: playbookCategoriesApi,
    routes: playbookCategoriesRoutes,
    audience: playbooksAccess.read,
  }),
  'playbook-exports': defineNoun({
    api: playbookExportsApi,
    routes: playbookExportsRoutes,
    audience: 'nobody',
  }),
  'playbook-imports': defineNoun({
    api: playbookImportsApi,
    routes: playbookImportsRoutes,
    audience: 'nobody',
  }),
  'playbook-shares': defineNoun({
    api: playbookSharesApi,
    routes: playbookSharesRoutes,
    audience: playbooksAccess.share,
  }),
  files: defineNoun({
    api: filesApi,
    routes: filesRoutes,
    // Events name files that not everybody may open (decision 044).
    audience: { hinted: filesAccess.use, unsaid: READING_VERBS },
    // Tickets only begin reads.
    needsNoDiskSpace: ['preview', 'downloadTicket', 'archiveTicket'],
  }),
  // Events of links belong to the files.
  'file-links': defineNoun({
    api: fileLinksApi,
    routes: fileLinksRoutes,
    audience: 'nobody',
    hooks: fileLinksHooks,
    // Tickets only begin reads.
    needsNoDiskSpace: ['look', 'open', 'download', 'preview'],
  }),
  'api-keys': defineNoun({ api: apiKeysApi, routes: apiKeysRoutes, audience: has('customer-api-admin') }),
  declarations: defineNoun({
    api: declarationsApi,
    routes: declarationsRoutes,
    audience: declarationsAccess,
  }),
  webhooks: defineNoun({ api: webhooksApi, routes: webhooksRoutes, audience: webhooksAccess }),
  contacts: defineNoun({ api: contactsApi, routes: contactsRoutes, audience: has('mass-notifs') }),
  suppressions: defineNoun({
    api: suppressionsApi,
    routes: suppressionsRoutes,
    audience: suppressionsAccess.read,
  }),
  'import-columns': defineNoun({ api: importColumnsApi, routes: importColumnsRoutes, audience: 'nobody' }),
  imports: defineNoun({ api: importsApi, routes: importsRoutes, audience: importsAccess.read }),
  'notification-templates': defineNoun({
    api: notificationTemplatesApi,
    routes: notificationTemplatesRoutes,
    audience: has('mass-notifs'),
  }),
  'mass-notifications': defineNoun({
    api: massNotificationsApi,
    routes: massNotificationsRoutes,
    audience: has('mass-notifs'),
  }),
  // Events of approvals belong to the mass notifications.
  'notification-approvals': defineNoun({
    api: notificationApprovalsApi,
    routes: notificationApprovalsRoutes,
    audience: 'nobody',
  }),
  readiness: defineNoun({ api: readinessApi, routes: readinessRoutes, audience: 'nobody' }),
  'audit-log': defineNoun({ api: auditLogApi, routes: auditLogRoutes, audience: 'nobody' }),
  welcome: defineNoun({ api: welcomeApi, routes: welcomeRoutes, audience: 'nobody' }),
  live: defineNoun({ api: liveApi, routes: liveRoutes, audience: 'nobody', needsNoDiskSpace: true }),
}

/** All nouns below `/management-api`, which only staff of the provider reach. */
export const MANAGEMENT_NOUNS: { readonly [noun: string]: Noun } = {
  staff: defineNoun({
    api: staffApi,
    routes: staffRoutes,
    audience: 'nobody',
    follows: ['staff', 'second-factors'],
    needsNoDiskSpace: true,
  }),
  'config-items': defineNoun({
    api: managementConfigItemsApi,
    routes: managementConfigItemsRoutes,
    audience: 'nobody',
    follows: ['config-items'],
  }),
  welcome: defineNoun({ api: managementWelcomeApi, routes: managementWelcomeRoutes, audience: 'nobody' }),
  'managed-organisations': defineNoun({
    api: managedOrganisationsApi,
    routes: managedOrganisationsRoutes,
    audience: 'nobody',
    follows: ['organisations', 'users', 'incidents', 'attachments', 'files', 'welcome', 'chat-credentials'],
  }),
  'organisation-access': defineNoun({
    api: organisationAccessApi,
    routes: organisationAccessRoutes,
    audience: 'nobody',
  }),
  'managed-users': defineNoun({
    api: managedUsersApi,
    routes: managedUsersRoutes,
    audience: 'nobody',
    follows: ['users'],
  }),
  'managed-incidents': defineNoun({
    api: managedIncidentsApi,
    routes: managedIncidentsRoutes,
    audience: 'nobody',
    follows: ['organisations', 'users', 'incidents', 'activities', 'check-ins', 'attachments'],
  }),
  instance: defineNoun({ api: instanceApi, routes: instanceRoutes, audience: 'nobody' }),
  'provider-log': defineNoun({
    api: providerLogApi,
    routes: providerLogRoutes,
    audience: 'nobody',
    follows: [PROVIDER_STREAM],
  }),
}

/** Handlers of hooks that lower nouns run, in this order. */
export const HOOKS: readonly HookHandlers[] = [
  // A noun without calls of its own.
  fileTextsHooks,
  ...Object.values(NOUNS).flatMap(({ hooks }) => hooks ?? []),
]

const apisOf = (nouns: { readonly [noun: string]: Noun }): { readonly [noun: string]: Api } =>
  Object.fromEntries(Object.entries(nouns).map(([name, { api }]) => [name, api]))
/** The contracts of all nouns of organisations, by their names. */
export const APIS = apisOf(NOUNS)
/** The contracts of the console, by the names of their nouns. */
export const MANAGEMENT_APIS = apisOf(MANAGEMENT_NOUNS)

/** The audience of each noun's events on the live socket. */
export const AUDIENCE: Audience = Object.fromEntries(
  Object.entries(NOUNS).flatMap(([name, { audience, parts = [] }]) =>
    audience === 'nobody' ? [] : [name, ...parts].map((noun) => [noun, audience] as const),
  ),
)

/** Nouns of the console, with the nouns of the event streams that trigger their hints. */
export const CONSOLE_HINTS: ConsoleHints = Object.fromEntries(
  Object.entries(MANAGEMENT_NOUNS).flatMap(([name, { follows }]) => (follows ? [[name, follows]] : [])),
)
