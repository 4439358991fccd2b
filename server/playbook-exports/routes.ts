import type { playbookExportsApi } from '#contract/playbook-exports/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  exportFile,
  exportProgress,
  playbookArchive,
  playbookDocument,
  playbookSource,
  requestExport,
} from './flows.ts'

export const playbookExportsRoutes = (services: Services): Handlers<typeof playbookExportsApi> => ({
  document: ({ params, query }, { db }) => playbookDocument(db, params.id, query.type),
  source: ({ params, query }, { db }) => playbookSource(db, params.id, query.type),
  archive: ({ query }, { db }) => playbookArchive(db, query.ids, query.type),
  request: ({ body }, { db, caller }) => requestExport(services, db, caller, body),
  progress: ({ params }, { db, caller }) => exportProgress(db, caller, params.id),
  file: ({ params }, { db, caller }) => exportFile(services, db, caller, params.id),
})
