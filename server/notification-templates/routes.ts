import type { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeTemplate, createTemplate, removeTemplate } from './flows.ts'
import { listTemplates } from './store.ts'

export const notificationTemplatesRoutes: Handlers<typeof notificationTemplatesApi> = {
  list: ({ query }, { db }) => listTemplates(db, query),
  create: ({ body }, { db, caller }) => createTemplate(db, caller, body),
  update: ({ params, body }, { db, caller }) => changeTemplate(db, caller, params.id, body),
  remove: async ({ params }, { db }) => {
    await removeTemplate(db, params.id)
  },
}
