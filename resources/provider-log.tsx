import ManageSearchRounded from '@mui/icons-material/ManageSearchRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import { useQuery } from '@tanstack/react-query'

import { nounInWords } from '#contract/audit-log/rules.ts'
import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import type { ManagedOrganisation } from '#contract/managed-organisations/schema.ts'
import { providerLogApi } from '#contract/provider-log/api.ts'
import { call } from '#providers/api.ts'
import { requestSlice } from '#providers/slice.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { FilterChoice } from '#src/kit/resource/resource.ts'
import { AUDIT_TABLE } from '#src/audit-log/auditTable.tsx'
import { useActorName } from '#src/audit-log/useActorName.ts'

const CheckDialog = lazy(async () => ({
  default: (await import('#src/audit-log/CheckDialog.tsx')).CheckDialog,
}))
const EventDialog = lazy(async () => ({
  default: (await import('#src/audit-log/EventDialog.tsx')).EventDialog,
}))

const useOffered = () =>
  useQuery({
    queryKey: ['provider-log', 'choices'],
    queryFn: ({ signal }) => call(providerLogApi.choices, { signal }),
  }).data

function useActors() {
  const actorName = useActorName()
  return useOffered()?.actors.map(({ key, kind, name }) => ({
    value: key,
    label: actorName({ kind, id: null, name }),
  }))
}
const useNouns = () => useOffered()?.nouns.map((noun) => ({ value: noun, label: nounInWords(noun) }))

const Check = ({ onClose }: { onClose: () => void }) => (
  <CheckDialog check={(body, signal) => call(providerLogApi.check, { body, signal })} onClose={onClose} />
)
const Event = (props: { record: AuditEvent; onClose: () => void }) => (
  <EventDialog
    find={(sequence, signal) => call(providerLogApi.get, { params: { sequence }, signal })}
    {...props}
  />
)

const NO_CHOICES: readonly FilterChoice[] = []
/** Organisations that the search offers at a time. */
const OFFERED = 20
const findOrganisations = async (q: string, signal: AbortSignal): Promise<readonly FilterChoice[]> => {
  const found = await requestSlice<ManagedOrganisation>(managedOrganisationsApi.list, {
    first: 0,
    count: OFFERED,
    filter: { q },
    signal,
  })
  return found.items.map(({ id, enterprise }) => ({ value: id, label: enterprise.displayName }))
}

/** The provider's own audit log, of its staff. */
export const providerLog = defineResource({
  ...AUDIT_TABLE,
  api: providerLogApi,
  filters: [
    { field: 'actor', label: 'auditLog.who', useChoices: useActors },
    { field: 'noun', label: 'auditLog.noun', useChoices: useNouns },
    {
      field: 'organisation',
      label: 'management.organizations.organization',
      useChoices: () => NO_CHOICES,
      find: findOrganisations,
      labelOf: async (id, signal) =>
        (await call(managedOrganisationsApi.get, { params: { id }, signal })).enterprise.displayName,
    },
    { from: 'from', to: 'to', label: 'auditLog.time' },
  ],
  tools: [{ call: 'check', label: 'auditLog.check', icon: VerifiedUserRounded, show: Check }],
  actions: [{ call: 'get', label: 'auditLog.show', icon: ManageSearchRounded, show: Event, opens: true }],
})
