import KeyRounded from '@mui/icons-material/KeyRounded'
import LinkRounded from '@mui/icons-material/LinkRounded'
import SmartToyOutlined from '@mui/icons-material/SmartToyOutlined'
import SupportAgentRounded from '@mui/icons-material/SupportAgentRounded'
import Box from '@mui/material/Box'

import type { auditLogApi } from '#contract/audit-log/api.ts'
import { eventInWords, fieldInWords, valueInWords } from '#contract/audit-log/rules.ts'
import type { AuditEvent } from '#contract/audit-log/schema.ts'
import type { Declaration } from '#src/kit/resource/resource.ts'
import { MINUTE } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'

import { useActorName } from './useActorName.ts'

type Table = Extract<Declaration<typeof auditLogApi>, { readonly layout?: 'table' }>

const ICONS = { key: KeyRounded, staff: SupportAgentRounded, link: LinkRounded, system: SmartToyOutlined }

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

/** The record of an event with its parent: `Call the provider · Power failure`. */
const recordOf = ({ recordName, parentName }: AuditEvent) =>
  [recordName, parentName].filter(Boolean).join(' · ')
const changesOf = ({ changes }: AuditEvent) =>
  changes
    .map(({ field, from, to }) => {
      const [was, is] = [valueInWords(field, from), valueInWords(field, to)]
      return `${fieldInWords(field)}: ${from === null ? is : `${was} → ${is}`}`
    })
    .join('; ')

/** Common declaration of the audit logs of an organisation and of the provider. */
export const AUDIT_TABLE = {
  title: 'auditLog.title',
  nameOf: eventInWords,
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
  file: 'export',
  empty: 'auditLog.empty',
  refreshEvery: MINUTE,
} satisfies Partial<Table>
