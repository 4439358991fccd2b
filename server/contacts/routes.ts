import type { contactsApi } from '#contract/contacts/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { contactsByList, findContacts, removeContact, removeList } from './flows.ts'
import { importContacts } from './import.flows.ts'
import { listLists } from './store.ts'

export const contactsRoutes: Handlers<typeof contactsApi> = {
  add: ({ body, query }, { db, caller }) => importContacts(db, caller, body, query.fileName),
  lists: (_, { db }) => listLists(db),
  asMap: (_, context) => contactsByList(context),
  asList: ({ query }, context) => findContacts(context, query),
  remove: async ({ params }, { db }) => {
    await removeContact(db, params.id)
  },
  removeList: async ({ params }, { db }) => {
    await removeList(db, params.name)
  },
}
