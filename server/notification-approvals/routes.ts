import type { notificationApprovalsApi } from '#contract/notification-approvals/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  approve,
  approvalsOf,
  demandNotifying,
  openApproval,
  refuse,
  requestApproval,
  withdraw,
} from './flows.ts'

export const notificationApprovalsRoutes = (
  services: Services,
): Handlers<typeof notificationApprovalsApi> => ({
  list: ({ query }, { db, caller }) => approvalsOf(db, caller, query),
  get: ({ params }, { db, caller }) => openApproval(db, caller, params.id),
  request: {
    first: demandNotifying,
    handle: ({ body }, { db, caller }) => requestApproval(services, db, caller, body),
  },
  approve: ({ params }, { db, caller }) => approve(services, db, caller, params.id),
  refuse: ({ params, body }, { db, caller }) => refuse(db, caller, params.id, body.reason),
  withdraw: ({ params }, { db, caller }) => withdraw(db, caller, params.id),
})
