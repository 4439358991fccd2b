import { messageCan } from '#contract/chat/rules.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useSession } from '#providers/session.ts'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { useConfig } from '#src/config/useConfig.ts'

/** Minutes in which a message can be edited; default until the configuration has loaded. */
const EDIT_MINUTES = 15

/** True while the caller may edit the message. */
export function useCanEdit(message: ChatMessage): boolean {
  const { uuid } = useSession()
  const minutes = useConfig()?.messageHistoryEditTimeout ?? EDIT_MINUTES
  const now = useNow(MINUTE)
  return message.status === 'received' && messageCan.edit(message, uuid ?? '', { now, minutes })
}
