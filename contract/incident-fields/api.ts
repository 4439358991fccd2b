import { incidentKindsAccess } from '#contract/incident-kinds/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { plainApi } from '#contract/kit/plain-api.ts'

import { Definitions, fieldInputs, IncidentField } from './schema.ts'

/** Fields of incidents that an organisation defines. */
export const fieldRecords = plainApi({
  access: incidentKindsAccess.administer,
  paths: { list: '/incidentFields', item: '/incidentField' },
  label: { one: 'field', many: 'fields of incidents' },
  item: IncidentField,
  inputs: fieldInputs,
  sortFields: ['position', 'label', 'updateTimestamp'],
})

/** Fields of incidents, and what the form of an incident asks for (decision 121). */
export const incidentFieldsApi = defineApi({
  ...fieldRecords,
  remove: { ...fieldRecords.remove, errors: { 409: 'Incidents use it; it can be retired instead.' } },
  definitions: {
    method: 'GET',
    path: '/incidentDefinitions',
    access: incidentKindsAccess.read,
    summary: 'The kinds and fields of incidents, retired ones too. Not for external people.',
    reply: Definitions,
  },
})
