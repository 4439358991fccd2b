import type { groupsApi } from '#contract/groups/api.ts'
import type { Caller, Handlers } from '#server/kit/http/serve.ts'

import { changeGroup, createGroup, findMembers, removeGroup, restoreGroup } from './flows.ts'
import { groups, listOptions } from './store.ts'

const personBehind = ({ kind, id }: Caller): string | null => (kind === 'person' ? id : null)

export const groupsRoutes: Handlers<typeof groupsApi> = {
  list: ({ query }, { db }) => groups.list(db, query),
  get: ({ params }, { db }) => groups.open(db, params.id),
  summary: ({ params }, { db }) => groups.summary(db, params.id),
  members: ({ params, query }, { db }) => findMembers(db, params.id, query),
  create: ({ body }, { db, caller }) => createGroup(db, caller, body),
  update: ({ params, body }, { db }) => changeGroup(db, params.id, body),
  remove: ({ params }, { db, caller }) => removeGroup(db, caller, params.id),
  restore: ({ params }, { db, caller }) => restoreGroup(db, caller, params.id),
  options: ({ query }, { db, caller }) => listOptions(db, personBehind(caller), query.withMembers),
  all: (_, { db, caller }) => listOptions(db, personBehind(caller)),
  mine: async (_, { db, caller }) => {
    const options = caller.kind === 'person' ? await listOptions(db, caller.id) : []
    return options.filter(({ canAccess }) => canAccess)
  },
}
