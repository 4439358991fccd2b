import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { deleteExports } from './store.ts'

export const roomExportsHooks: HookHandlers = {
  roomDeleted: (db, { roomId, blobs }) => deleteExports(db, blobs, roomId),
}
