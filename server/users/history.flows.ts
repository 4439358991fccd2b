import { USER_FIELDS, type UserEvent, type UserHistoryEntry } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { type HistoryRow, listHistory } from './history.store.ts'

/** History events by noun and verb. */
const HISTORY: { readonly [told: string]: UserEvent } = {
  'users created': 'CREATED',
  'users updated': 'UPDATED',
  'users deactivated': 'DEACTIVATED',
  'users reactivated': 'REACTIVATED',
  'users activation email sent': 'ACTIVATION_EMAIL_SENT',
  'users password reset email sent': 'PASSWORD_RESET_EMAIL_SENT',
  'users password set': 'PASSWORD_SET',
  'users password change required': 'PASSWORD_CHANGE_REQUIRED',
  'users sessions ended': 'SESSIONS_ENDED',
  'users terms accepted': 'TERMS_ACCEPTED',
  'users picture changed': 'PICTURE_CHANGED',
  'users picture removed': 'PICTURE_REMOVED',
  'users banned': 'BANNED',
  'users unbanned': 'UNBANNED',
  'passwords reset asked for': 'PASSWORD_RESET_REQUESTED',
  'sign-ins locked out': 'LOCKED_OUT',
  'second-factors locked out': 'LOCKED_OUT',
  'second-factors enrolled': 'AUTHENTICATOR_ENROLLED',
  'second-factors removed': 'AUTHENTICATOR_REMOVED',
  'second-factors recovery code used': 'RECOVERY_CODE_USED',
  'second-factors recovery codes renewed': 'RECOVERY_CODES_RENEWED',
}
const EVENT_KINDS = Object.keys(HISTORY)
const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const entryOf = ({ id, kind, at, actor, changes }: HistoryRow): UserHistoryEntry => {
  const event = HISTORY[kind]!
  return {
    id,
    event,
    createTimestamp: at,
    actor: actor.kind === 'system' ? null : actor.name,
    changes: USER_FIELDS.flatMap((field) => {
      const change = event === 'UPDATED' ? changes[field] : undefined
      return change ? [{ field, from: asText(change.from), to: asText(change.to) }] : []
    }),
  }
}

/** The histories of users, newest first (administration §3). Users without one are missing. */
export async function historiesOf(
  db: OrgDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UserHistoryEntry[]>> {
  const rows = await listHistory(db, userIds, EVENT_KINDS)
  return new Map([...rows].map(([id, told]) => [id, told.map(entryOf)]))
}
