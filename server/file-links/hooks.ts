import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { updateRevokedBelow, updateRevokedOfBarred } from './store.ts'

export const fileLinksHooks: HookHandlers = {
  itemDeleted: (db, { item, by }) => updateRevokedBelow(db, item, by),
  userSignedOut: (db, { userId }) => updateRevokedOfBarred(db, userId),
}
