import ApartmentRounded from '@mui/icons-material/ApartmentRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import PolicyRounded from '@mui/icons-material/PolicyRounded'
import SupervisorAccountRounded from '@mui/icons-material/SupervisorAccountRounded'

import { staffAs } from '#contract/kit/access.ts'
import type { ResourceApi } from '#providers/httpClient.ts'
import type { AnyEntry, ResourceEntry } from '#src/kit/resource/resource.ts'
import { withLayout } from '#src/kit/resource/resourceLayout.ts'

/** A resource of the console, visible to all staff. */
const resource = <const A extends ResourceApi>(entry: Omit<ResourceEntry<A>, 'access'>): AnyEntry => ({
  ...entry,
  access: staffAs.look,
})

/** The resources of the provider's console. */
export const CONSOLE_RESOURCES = {
  organisations: resource({
    name: 'management/organizations',
    label: 'management.sections.organizations',
    icon: ApartmentRounded,
    api: async () => (await import('#contract/managed-organisations/api.ts')).managedOrganisationsApi,
    recordRepresentation: ({ enterprise }) => enterprise.displayName,
    hasCreate: true,
    hasEdit: true,
    page: withLayout(async () => (await import('./managed-organisations.tsx')).managedOrganisations),
  }),
  incidents: resource({
    name: 'management/incidents',
    label: 'management.sections.incidents',
    icon: CrisisAlertRounded,
    api: async () => (await import('./managed-incidents.tsx')).managedIncidentsResourceApi,
    recordRepresentation: ({ enterprise }) => enterprise.displayName,
    page: withLayout(async () => (await import('./managed-incidents.tsx')).managedIncidents),
  }),
  auditLog: resource({
    name: 'management/audit-log',
    label: 'management.sections.auditLog',
    icon: PolicyRounded,
    api: async () => (await import('#contract/provider-log/api.ts')).providerLogApi,
    recordRepresentation: 'recordName',
    page: withLayout(async () => (await import('./provider-log.tsx')).providerLog),
  }),
  staff: resource({
    name: 'management/staff',
    label: 'management.sections.staff',
    icon: SupervisorAccountRounded,
    api: async () => (await import('./staff.tsx')).staffResourceApi,
    recordRepresentation: 'email',
    hasCreate: true,
    hasEdit: true,
    page: withLayout(async () => (await import('./staff.tsx')).staff),
  }),
}
