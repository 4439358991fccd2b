import type { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import type { Input, ReplyOf } from '#contract/kit/endpoint.ts'
import type { ProviderContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { lookInto } from '#server/organisation-access/flows.ts'

import { listManagedIncidents } from './store.ts'

type ListCall = (typeof managedIncidentsApi)['list']

/** The incidents of one organisation, for staff who gave a reason. With `activityOnly` without their texts. */
export async function findIncidentsOf(
  services: Services,
  { db, caller }: ProviderContext,
  { params, query: { page, size, activityOnly } }: Input<ListCall>,
): Promise<ReplyOf<ListCall>> {
  const { rows, total } = await lookInto(services, db, caller, params.id, (inside) =>
    listManagedIncidents(inside, { page, size }),
  )
  const data = activityOnly
    ? rows.map((incident) => ({ ...incident, previewText: null, postmortemDetails: null }))
    : rows
  return { data, page, size, total }
}
