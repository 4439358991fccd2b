import type { notificationTemplatesApi } from '#contract/notification-templates/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeTemplate, createTemplate } from './flows.ts'
import { templates } from './store.ts'

export const notificationTemplatesRoutes: Handlers<typeof notificationTemplatesApi> = {
  list: ({ query }, { db }) => templates.list(db, query),
  create: ({ body }, { db, caller }) => createTemplate(db, caller, body),
  update: ({ params, body }, { db, caller }) => changeTemplate(db, caller, params.id, body),
  remove: ({ params }, { db }) => templates.remove(db, params.id),
}
