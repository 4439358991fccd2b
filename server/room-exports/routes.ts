import type { roomExportsApi } from '#contract/room-exports/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { exportFile, exportProgress, requestExport } from './flows.ts'

export const roomExportsRoutes = (services: Services): Handlers<typeof roomExportsApi> => ({
  request: ({ body }, { db, caller }) => requestExport(services, db, caller, body),
  progress: ({ params }, { db, caller }) => exportProgress(db, caller, params.id),
  file: ({ params }, { db, caller }) => exportFile(services, db, caller, params.id),
})
