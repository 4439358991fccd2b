import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { usePeople } from '../usePeople.ts'

/** What whoever did something is called: people by their names, where the directory has arrived. */
export function useActorName(): (actor: AuditEvent['actor']) => string {
  const text = useText()
  const { known, nameOf } = usePeople()
  return ({ kind, name }) => {
    if (kind === 'system') return text('auditLog.system')
    if (kind === 'key') return text('auditLog.keyNamed', { name })
    if (kind === 'staff') return text('auditLog.staffNamed', { name })
    return known ? nameOf(name) : name
  }
}
