import KeyRounded from '@mui/icons-material/KeyRounded'
import ManageSearchRounded from '@mui/icons-material/ManageSearchRounded'
import SmartToyOutlined from '@mui/icons-material/SmartToyOutlined'
import SupportAgentRounded from '@mui/icons-material/SupportAgentRounded'
import VerifiedUserRounded from '@mui/icons-material/VerifiedUserRounded'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo } from 'react'

import { auditLogApi } from '#contract/audit-log/api.ts'
import { eventInWords, fieldInWords, nounInWords, valueInWords } from '#contract/audit-log/rules.ts'
import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { usersApi } from '#contract/users/api.ts'
import { fullName } from '#contract/users/rules.ts'
import { call } from '#providers/api.ts'
import { MINUTE } from '#src/kit/time/clock.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useActorName } from '#src/shared/audit-log/useActorName.ts'

const CheckDialog = lazy(async () => ({
  default: (await import('#src/shared/audit-log/CheckDialog.tsx')).CheckDialog,
}))
const EventDialog = lazy(async () => ({
  default: (await import('#src/shared/audit-log/EventDialog.tsx')).EventDialog,
}))

const ICONS = { key: KeyRounded, staff: SupportAgentRounded, system: SmartToyOutlined }

function Actor({ actor }: Pick<AuditEvent, 'actor'>) {
  const name = useActorName()(actor)
  const Icon = actor.kind === 'person' ? undefined : ICONS[actor.kind]
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
      {Icon && <Icon sx={{ flex: 'none', fontSize: 16, color: 'text.secondary' }} />}
      <span className="cell-text" dir="auto" title={actor.kind === 'person' ? actor.name : name}>
        {name}
      </span>
    </Box>
  )
}

/** What it is about: `Call the provider · Power failure`. */
const recordOf = ({ recordName, parentName }: AuditEvent) =>
  [recordName, parentName].filter(Boolean).join(' · ')
const changesOf = ({ changes }: AuditEvent) =>
  changes
    .map(({ field, from, to }) => {
      const [was, is] = [valueInWords(field, from), valueInWords(field, to)]
      return `${fieldInWords(field)}: ${from === null ? is : `${was} → ${is}`}`
    })
    .join('; ')

const useOffered = () =>
  useQuery({
    queryKey: ['audit-log', 'choices'],
    queryFn: ({ signal }) => call(auditLogApi.choices, { signal }),
  }).data

/** Keys, staff and Muster itself. */
function useOtherActors() {
  const offered = useOffered()
  const actorName = useActorName()
  return offered?.actors.map(({ key, kind, name }) => ({
    value: key,
    label: actorName({ kind, id: null, name }),
  }))
}

const PERSON = 'person:'
/** The people who are found by a text, archived ones too. */
async function findPeople(q: string, signal: AbortSignal) {
  const query = { sort: '["firstName","ASC"]', range: '[0,49]', filter: JSON.stringify(q ? { q } : {}) }
  const found = await call(usersApi.list, { query, signal })
  return found.map((user) => ({
    value: `${PERSON}${user.uuid}`,
    label: fullName(user),
    description: user.email,
  }))
}

/** The name of a person, who may have been chosen before this page was opened. */
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

/** The organisation's audit log: its event stream, in the words of a person. */
export const auditLog = defineResource({
  title: 'auditLog.title',
  api: auditLogApi,
  columns: [
    { field: 'verb', label: 'auditLog.what', flex: 3, minWidth: 200, sortable: false, text: eventInWords },
    {
      field: 'recordName',
      label: 'auditLog.record',
      flex: 3,
      minWidth: 150,
      sortable: false,
      card: 'line',
      text: recordOf,
    },
    {
      field: 'actor',
      label: 'auditLog.who',
      flex: 2,
      minWidth: 150,
      sortable: false,
      card: 'line',
      text: ({ actor }) => actor.name,
      render: ({ actor }) => <Actor actor={actor} />,
    },
    {
      field: 'timestamp',
      label: 'auditLog.time',
      width: 212,
      minWidth: 212,
      card: 'line',
      text: ({ timestamp }) => timestamp,
      render: ({ timestamp }) => <Time at={timestamp} absolute />,
    },
    {
      field: 'changes',
      label: 'auditLog.changes',
      flex: 4,
      minWidth: 200,
      sortable: false,
      yields: 2,
      card: 'line',
      text: changesOf,
    },
    { field: 'sequence', label: 'auditLog.event', kind: 'number', width: 84, sortable: false, yields: 3 },
  ],
  sort: ['timestamp', 'DESC'],
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
  tools: [{ call: 'check', label: 'auditLog.check', icon: VerifiedUserRounded, show: CheckDialog }],
  file: 'export',
  empty: 'auditLog.empty',
  refreshEvery: MINUTE,
  actions: [
    { call: 'get', label: 'auditLog.show', icon: ManageSearchRounded, show: EventDialog, opens: true },
  ],
})
