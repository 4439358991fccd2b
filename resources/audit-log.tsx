import ManageSearchRounded from '@mui/icons-material/ManageSearchRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { auditLogApi } from '#contract/audit-log/api.ts'
import { nounInWords } from '#contract/audit-log/rules.ts'
import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { usersApi } from '#contract/users/api.ts'
import { fullName } from '#contract/kit/names.ts'
import { call } from '#providers/api.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
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
    queryKey: ['audit-log', 'choices'],
    queryFn: ({ signal }) => call(auditLogApi.choices, { signal }),
  }).data

/** API keys, staff and the system. */
function useOtherActors() {
  const offered = useOffered()
  const actorName = useActorName()
  return offered?.actors.map(({ key, kind, name }) => ({
    value: key,
    label: actorName({ kind, id: null, name }),
  }))
}

const PERSON = 'person:'
/** Finds people by a text, including archived ones. */
async function findPeople(q: string, signal: AbortSignal) {
  const query = { sort: '["firstName","ASC"]', range: '[0,49]', filter: JSON.stringify(q ? { q } : {}) }
  const found = await call(usersApi.list, { query, signal })
  return found.map((user) => ({
    value: `${PERSON}${user.uuid}`,
    label: fullName(user),
    description: user.email,
  }))
}

/** Loads the name of a person who was chosen before this page was opened. */
async function nameOfPerson(value: string, signal: AbortSignal) {
  if (!value.startsWith(PERSON)) return null
  return fullName(await call(usersApi.get, { params: { uuid: value.slice(PERSON.length) }, signal }))
}

function useNouns() {
  const offered = useOffered()
  return useMemo(
    () =>
      offered?.nouns
        .map((noun) => ({ value: noun, label: nounInWords(noun) }))
        .sort((a, b) => a.label.localeCompare(b.label)),
    [offered],
  )
}

const Check = ({ onClose }: { onClose: () => void }) => (
  <CheckDialog check={(body, signal) => call(auditLogApi.check, { body, signal })} onClose={onClose} />
)
const Event = (props: { record: AuditEvent; onClose: () => void }) => (
  <EventDialog
    find={(sequence, signal) => call(auditLogApi.get, { params: { sequence }, signal })}
    {...props}
  />
)

/** The organisation's audit log: its event stream in plain English. */
export const auditLog = defineResource({
  ...AUDIT_TABLE,
  api: auditLogApi,
  filters: [
    {
      field: 'actor',
      label: 'auditLog.who',
      useChoices: useOtherActors,
      find: findPeople,
      labelOf: nameOfPerson,
    },
    { field: 'noun', label: 'auditLog.noun', useChoices: useNouns },
    { from: 'from', to: 'to', label: 'auditLog.time' },
  ],
  toggles: [{ id: 'notices', label: 'auditLog.showNotifications', off: { notifications: false } }],
  tools: [{ call: 'check', label: 'auditLog.check', icon: VerifiedUserRounded, show: Check }],
  actions: [{ call: 'get', label: 'auditLog.show', icon: ManageSearchRounded, show: Event, opens: true }],
})
