import type { confirmationsApi } from '#contract/confirmations/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { confirm, confirmationsIn, confirmingPeople, remindToConfirm, requestConfirmation } from './flows.ts'

export const confirmationsRoutes = (): Handlers<typeof confirmationsApi> => ({
  list: ({ query }, { db, caller }) => confirmationsIn(db, caller, query),
  request: ({ body }, { db, caller }) => requestConfirmation(db, caller, body),
  confirm: ({ params }, { db, caller }) => confirm(db, caller, params.id),
  people: ({ params, query }, { db, caller }) => confirmingPeople(db, caller, params.id, query),
  remind: async ({ params }, { db, caller }) => ({ reminded: await remindToConfirm(db, caller, params.id) }),
})
