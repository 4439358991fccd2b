import type { playbooksApi } from '#contract/playbooks/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  archivePlaybook,
  binOf,
  purgePlaybook,
  recoverPlaybook,
  removePlaybook,
  unarchivePlaybook,
} from './bin.flows.ts'
import { discardDraft, openDraft, publishDraft, returnDraft } from './drafts.flows.ts'
import { endEditing, noteEditing } from './editors.flows.ts'
import { changePlaybook, createPlaybook, movePlaybook, restoreVersion } from './edits.flows.ts'
import { findPlaybooks, findVersions, openVersion, openWithPeople } from './flows.ts'

export const playbooksRoutes = (services: Services): Handlers<typeof playbooksApi> => ({
  list: ({ query }, { db, caller }) => findPlaybooks(db, caller, query),
  get: ({ params }, { db, caller }) => openWithPeople(db, caller, params.id),
  create: ({ body }, { db, caller }) => createPlaybook(services, db, caller, body),
  update: ({ params, body }, { db, caller }) => changePlaybook(services, db, caller, params.id, body),
  changeCategory: ({ params, body }, { db, caller }) => movePlaybook(services, db, caller, params.id, body),
  remove: ({ params, query }, { db, caller }) => removePlaybook(db, caller, params.id, query.version),
  versions: ({ params, query }, { db, caller }) => findVersions(db, caller, params.id, query),
  version: ({ params }, { db, caller }) => openVersion(db, caller, params.id, params.version),
  restore: ({ params, body }, { db, caller }) => restoreVersion(services, db, caller, params, body.version),
  editing: ({ params }, { db, caller }) => noteEditing(db, caller, params),
  doneEditing: ({ params }, { db, caller }) => endEditing(db, caller, params),
  draft: ({ params }, { db, caller }) => openDraft(db, caller, params.id),
  discardDraft: ({ params, query }, { db, caller }) => discardDraft(db, caller, params.id, query.revision),
  publish: ({ params, body }, { db, caller }) => publishDraft(db, caller, params.id, body),
  returnDraft: ({ params, body }, { db, caller }) => returnDraft(services, db, caller, params.id, body),
  archive: ({ params }, { db, caller }) => archivePlaybook(db, caller, params.id),
  unarchive: ({ params }, { db, caller }) => unarchivePlaybook(db, caller, params.id),
  bin: ({ query }, { db }) => binOf(db, query),
  recover: ({ params }, { db, caller }) => recoverPlaybook(db, caller, params.id),
  purge: ({ params }, { db }) => purgePlaybook(services, db, params.id),
})
