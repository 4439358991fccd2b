import type { HookHandlers } from '#server/kit/database/hooks.ts'

import { forgetTexts, requestText } from './flows.ts'

export const fileTextsHooks: HookHandlers = {
  fileContentChanged: (db, { jobs, itemId }) => requestText(jobs, db, itemId),
  configItemChanged: async (db, { key }) => {
    if (key === 'fileContentSearch') await forgetTexts(db)
  },
}
