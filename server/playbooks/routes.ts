import type { playbooksApi } from '#contract/playbooks/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { endEditing, noteEditing } from './editors.flows.ts'
import { changePlaybook, createPlaybook, movePlaybook, restoreVersion } from './edits.flows.ts'
import { findPlaybooks, findVersions, openVersion, openWithPeople, removePlaybook } from './flows.ts'

export const playbooksRoutes = (services: Services): Handlers<typeof playbooksApi> => ({
  list: ({ query }, { db }) => findPlaybooks(db, query),
  get: ({ params }, { db }) => openWithPeople(db, params.id),
  create: ({ body }, { db, caller }) => createPlaybook(db, caller, body),
  update: ({ params, body }, { db, caller }) => changePlaybook(db, caller, params.id, body),
  changeCategory: ({ params, body }, { db, caller }) => movePlaybook(db, caller, params.id, body),
  remove: ({ params }, { db, caller }) => removePlaybook(services, db, caller, params.id),
  versions: ({ params, query }, { db, caller }) => findVersions(db, caller, params.id, query),
  version: ({ params }, { db }) => openVersion(db, params.id, params.version),
  restore: ({ params, body }, { db, caller }) => restoreVersion(db, caller, params, body.version),
  editing: ({ params }, { db, caller }) => noteEditing(db, caller, params),
  doneEditing: ({ params }, { db, caller }) => endEditing(db, caller, params),
})
