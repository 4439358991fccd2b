import type { contactsApi } from '#contract/contacts/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import {
  contactsByList,
  findContacts,
  removeContact,
  removeList,
  restoreContact,
  restoreList,
} from './flows.ts'
import { importContacts } from './import.flows.ts'
import { listLists } from './store.ts'

export const contactsRoutes: Handlers<typeof contactsApi> = {
  add: ({ body, query }, { db, caller }) => importContacts(db, caller, body, query.fileName),
  lists: (_, { db }) => listLists(db),
  asMap: (_, context) => contactsByList(context),
  asList: ({ query }, context) => findContacts(context, query),
  remove: ({ params }, { db, caller }) => removeContact(db, caller, params.id),
  removeList: ({ params }, { db, caller }) => removeList(db, caller, params.name),
  restore: ({ params }, { db, caller }) => restoreContact(db, caller, params.id),
  restoreList: ({ params }, { db, caller }) => restoreList(db, caller, params.name),
}
