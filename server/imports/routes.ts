import type { importsApi } from '#contract/imports/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  exportReport,
  findReports,
  findRows,
  importContactsFile,
  importUsersFile,
  openReport,
  undoImport,
} from './flows.ts'

export const importsRoutes = (services: Services): Handlers<typeof importsApi> => ({
  users: {
    outsideTransaction: ({ file, body }, context) => importUsersFile(services, context, file, body),
  },
  contacts: {
    outsideTransaction: ({ file, body }, context) => importContactsFile(services, context, file, body),
  },
  list: ({ query }, { db, caller }) => findReports(db, caller, query),
  get: ({ params }, { db, caller }) => openReport(db, caller, params.id),
  rows: ({ params, query }, { db, caller }) => findRows(db, caller, params.id, query),
  export: ({ params }, context) => exportReport(context, params.id),
  undo: ({ params }, { db, caller }) => undoImport(db, caller, params.id),
})
