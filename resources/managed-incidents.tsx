import { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import type { IncidentOverview } from '#contract/managed-incidents/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { MINUTE } from '#src/kit/time/clock.ts'
import { useText } from '#src/kit/useText.ts'
import { Totals } from '#src/managed-incidents/Totals.tsx'
import { durationInWords, STATES } from '#src/managed-incidents/organisationState.ts'

export const managedIncidentsResourceApi = { list: managedIncidentsApi.overview }

function State({ status }: Pick<IncidentOverview, 'status'>) {
  const text = useText()
  return <StatusChip label={text(`management.incidents.states.${status}`)} {...STATES[status]} />
}

const count = { kind: 'number', width: 104, align: 'right', headerAlign: 'right', card: 'line' } as const

/** State of all organisations (administration §2.2). */
export const managedIncidents = defineResource({
  title: 'management.incidents.title',
  api: managedIncidentsResourceApi,
  columns: [
    {
      field: 'displayName',
      label: 'management.organizations.fields.name',
      flex: 2,
      minWidth: 180,
      text: ({ enterprise }) => enterprise.displayName,
    },
    {
      field: 'status',
      label: 'management.incidents.status',
      width: 200,
      card: 'corner',
      text: ({ status }, text) => text(`management.incidents.states.${status}`),
      render: ({ status }) => <State status={status} />,
    },
    {
      field: 'duration',
      label: 'management.incidents.duration',
      width: 128,
      card: 'line',
      text: ({ duration }, text) => durationInWords(duration, text),
    },
    {
      field: 'title',
      label: 'management.incidents.incidentTitle',
      flex: 3,
      minWidth: 180,
      card: 'line',
      text: ({ title }) => title ?? '',
    },
    { field: 'checkIns', label: 'management.incidents.checkIns', yields: 1, ...count },
    { field: 'updates', label: 'management.incidents.updates', yields: 3, ...count },
    { field: 'tasks', label: 'management.incidents.tasks', yields: 2, ...count },
    { field: 'attachments', label: 'management.incidents.attachments', yields: 4, ...count, width: 124 },
  ],
  sort: ['status', 'ASC'],
  search: 'management.organizations.search',
  empty: 'management.organizations.empty',
  leadsTo: ({ id }) => `/management/incidents/${id}`,
  refreshEvery: MINUTE,
  above: Totals,
})
