import { plainApi } from '#contract/kit/plain-api.ts'

import { incidentKindsAccess } from './access.ts'
import { IncidentKind, kindInputs } from './schema.ts'

const records = plainApi({
  access: incidentKindsAccess.administer,
  paths: { list: '/incidentKinds', item: '/incidentKind' },
  label: { one: 'kind', many: 'kinds of incidents' },
  item: IncidentKind,
  inputs: kindInputs,
  sortFields: ['name', 'updateTimestamp'],
})

/** Kinds of incidents of an organisation (decision 121). */
export const incidentKindsApi = {
  ...records,
  remove: { ...records.remove, errors: { 409: 'Incidents or fields use it; it can be retired instead.' } },
} as const
