import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import type { ReactNode } from 'react'

import type { FieldDefinition } from '#contract/incident-fields/schema.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { ownFields as words } from '#providers/i18n/own-fields.ts'
import { usePeople } from '#providers/people.ts'

import { KindIcon } from './KindIcon.tsx'
import { useDefinitions } from './queries.ts'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="dt" sx={{ color: 'text.secondary', fontSize: '0.75rem' }}>
        {name}
      </Box>
      <Box component="dd" dir="auto" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  )
}

function Value({ type, value }: Pick<FieldDefinition, 'type'> & { value: string | number }) {
  const { nameOf } = usePeople()
  if (type === 'LINK')
    return (
      <Link href={String(value)} target="_blank" rel="noopener noreferrer">
        {value}
      </Link>
    )
  return type === 'PERSON' ? nameOf(String(value)) : value
}

/** The kind of an incident with the roles that it wants, and the values of the organisation's own fields. */
export function KindDetails({ incident: { kind, fieldValues } }: { incident: Incident }) {
  const { data } = useDefinitions()
  const roles = data?.kinds.find(({ id }) => id === kind?.id)?.roles ?? []
  const filled = (data?.fields ?? []).flatMap(({ id, label, type }) => {
    const value = fieldValues[id]
    return value === undefined ? [] : [{ id, label, type, value }]
  })
  return (
    <Box
      component="dl"
      aria-label={words.details}
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, m: 0 }}
    >
      {kind && (
        <Fact name={words.kind}>
          <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}>
            <KindIcon name={kind.icon} />
            {kind.name}
          </Box>
        </Fact>
      )}
      {roles.length > 0 && <Fact name={words.roles}>{roles.join(', ')}</Fact>}
      {filled.map(({ id, label, type, value }) => (
        <Fact key={id} name={label}>
          <Value type={type} value={value} />
        </Fact>
      ))}
    </Box>
  )
}
