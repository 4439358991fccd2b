import AlarmRounded from '@mui/icons-material/AlarmRounded'
import CategoryRounded from '@mui/icons-material/CategoryRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import ForumRounded from '@mui/icons-material/ForumRounded'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import HowToRegRounded from '@mui/icons-material/HowToRegRounded'
import KeyRounded from '@mui/icons-material/KeyRounded'
import ListAltRounded from '@mui/icons-material/ListAltRounded'
import PeopleRounded from '@mui/icons-material/PeopleRounded'
import PolicyRounded from '@mui/icons-material/PolicyRounded'
import WebhookRounded from '@mui/icons-material/WebhookRounded'

import { apiKeysAccess } from '#contract/api-keys/access.ts'
import { auditLogAccess } from '#contract/audit-log/access.ts'
import { channelsAccess } from '#contract/channels/access.ts'
import { declarationsAccess } from '#contract/declarations/access.ts'
import { groupsAccess } from '#contract/groups/access.ts'
import { dutiesAccess } from '#contract/duties/access.ts'
import { incidentKindsAccess } from '#contract/incident-kinds/access.ts'
import { incidentRolesAccess } from '#contract/incident-roles/access.ts'
import { notificationTemplatesAccess } from '#contract/notification-templates/access.ts'
import { usersAccess } from '#contract/users/access.ts'
import { webhooksAccess } from '#contract/webhooks/access.ts'
import { fullName } from '#contract/kit/names.ts'
import type { ResourceApi } from '#providers/httpClient.ts'
import type { AnyEntry, ResourceEntry } from '#src/kit/resource/resource.ts'

import { RESOURCE_FILES } from './files.ts'

/** Infers the record's type, and so that of its representation, from the endpoints. */
const resource = <const A extends ResourceApi>(entry: ResourceEntry<A>): AnyEntry => entry

/**
 * The declared resources by group of the menu, in the menu's order. This file loads with the application:
 * parts that only a page needs, such as columns and endpoints with their schemas, load with that page.
 */
export const RESOURCES = {
  massNotifications: [
    resource({
      name: 'mass-notifications/templates',
      label: 'app.sections.notificationTemplates',
      icon: EditNoteRounded,
      access: notificationTemplatesAccess,
      api: async () => (await import('#contract/notification-templates/api.ts')).notificationTemplatesApi,
      recordRepresentation: 'title',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['mass-notifications/templates']()).notificationTemplates,
    }),
  ],
  administration: [
    resource({
      name: 'user-admin',
      label: 'app.sections.users',
      icon: PeopleRounded,
      access: usersAccess,
      api: async () => (await import('#contract/users/api.ts')).usersApi,
      recordRepresentation: fullName,
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['user-admin']()).users,
    }),
    resource({
      name: 'groups',
      label: 'app.sections.groups',
      icon: GroupsRounded,
      access: groupsAccess,
      api: async () => (await import('#contract/groups/api.ts')).groupsApi,
      recordRepresentation: 'name',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES.groups()).groups,
    }),
    resource({
      name: 'incident-roles',
      label: 'app.sections.incidentRoles',
      icon: HowToRegRounded,
      access: incidentRolesAccess.administer,
      api: async () => (await import('#contract/incident-roles/api.ts')).roleRecords,
      recordRepresentation: 'name',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['incident-roles']()).roles,
    }),
    resource({
      name: 'duties',
      label: 'app.sections.duties',
      icon: AlarmRounded,
      access: dutiesAccess.administer,
      api: async () => (await import('#contract/duties/api.ts')).dutyRecords,
      recordRepresentation: 'name',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES.duties()).duties,
    }),
    resource({
      name: 'messaging-admin',
      label: 'app.sections.chatAdmin',
      icon: ForumRounded,
      access: channelsAccess,
      api: async () => (await import('./messaging-admin.tsx')).channelCalls,
      recordRepresentation: 'name',
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['messaging-admin']()).messagingAdmin,
    }),
    resource({
      name: 'audit-log',
      label: 'app.sections.auditLog',
      icon: PolicyRounded,
      access: auditLogAccess,
      api: async () => (await import('#contract/audit-log/api.ts')).auditLogApi,
      recordRepresentation: 'recordName',
      page: async () => (await RESOURCE_FILES['audit-log']()).auditLog,
    }),
  ],
  settings: [
    resource({
      name: 'settings/api-keys',
      label: 'app.sections.apiKeys',
      icon: KeyRounded,
      access: apiKeysAccess,
      api: async () => (await import('#contract/api-keys/api.ts')).apiKeysApi,
      recordRepresentation: 'name',
      hasCreate: true,
      page: async () => (await RESOURCE_FILES['settings/api-keys']()).apiKeys,
    }),
    resource({
      name: 'settings/declarations',
      label: 'app.sections.declarations',
      icon: CrisisAlertRounded,
      access: declarationsAccess,
      api: async () => (await import('#contract/declarations/api.ts')).declarationsApi,
      recordRepresentation: 'name',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['settings/declarations']()).declarations,
    }),
    resource({
      name: 'settings/webhooks',
      label: 'app.sections.webhooks',
      icon: WebhookRounded,
      access: webhooksAccess,
      api: async () => (await import('#contract/webhooks/api.ts')).webhooksApi,
      recordRepresentation: 'name',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['settings/webhooks']()).webhooks,
    }),
    resource({
      name: 'settings/incident-kinds',
      label: 'app.sections.incidentKinds',
      icon: CategoryRounded,
      access: incidentKindsAccess.administer,
      api: async () => (await import('#contract/incident-kinds/api.ts')).incidentKindsApi,
      recordRepresentation: 'name',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['settings/incident-kinds']()).kinds,
    }),
    resource({
      name: 'settings/incident-fields',
      label: 'app.sections.incidentFields',
      icon: ListAltRounded,
      access: incidentKindsAccess.administer,
      api: async () => (await import('#contract/incident-fields/api.ts')).fieldRecords,
      recordRepresentation: 'label',
      hasCreate: true,
      hasEdit: true,
      page: async () => (await RESOURCE_FILES['settings/incident-fields']()).fields,
    }),
  ],
}
