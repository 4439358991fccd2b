import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { usePeople } from '#providers/people.ts'

/** The name of an actor: people by their names, keys and staff as such. */
export function useActorName(): (actor: AuditEvent['actor']) => string {
  const text = useText()
  const { nameOf } = usePeople()
  return ({ kind, name }) => {
    if (kind === 'system') return text('auditLog.system')
    if (kind === 'key') return text('auditLog.keyNamed', { name })
    if (kind === 'staff') return text('auditLog.staffNamed', { name })
    return kind === 'link' ? name : nameOf(name)
  }
}
