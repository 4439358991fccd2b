import type { attachmentsApi } from '#contract/attachments/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { addFile, contentAt, downloadTicketOf, fileAt, filesIn, removeFile, restoreFile } from './flows.ts'

export const attachmentsRoutes = (services: Services): Handlers<typeof attachmentsApi> => ({
  // Detects the type from the stored bytes, which queries the database for their key.
  add: { outsideTransaction: ({ params, file }, context) => addFile(services, params, file, context) },
  addByForm: { outsideTransaction: ({ body, file }, context) => addFile(services, body, file, context) },
  list: ({ params }, { db, caller }) => filesIn(db, caller, params),
  download: ({ params, query }, { db, caller }) => fileAt(services, db, caller, params.id, query),
  downloadTicket: {
    outsideTransaction: ({ params }, context) => downloadTicketOf(services, params.id, context),
  },
  content: ({ params }, { request: { headers } }) => contentAt(services, params.ticket, headers),
  remove: async ({ params }, { db, caller }) => {
    await removeFile(services, db, caller, params.id)
  },
  restore: ({ params }, { db, caller }) => restoreFile(db, caller, params.id),
})
