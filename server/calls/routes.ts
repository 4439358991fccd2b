import type { callsApi } from '#contract/calls/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { dialInOf } from './dial-in.flows.ts'
import { jitsiToken } from './engine.flows.ts'
import {
  callDetails,
  callRecord,
  declineCall,
  endCall,
  joinCall,
  leaveCall,
  ringPeople,
  startCall,
} from './flows.ts'
import { callIncident } from './incidents.flows.ts'

export const callsRoutes = (services: Services): Handlers<typeof callsApi> => ({
  start: ({ body }, { db, caller }) => startCall(services, db, caller, body),
  startInIncident: ({ params, body }, { db, caller }) => callIncident(services, db, caller, params.id, body),
  one: ({ params }, { db, caller }) => callRecord(db, caller, params.id),
  join: ({ params, body }, { db, caller }) => joinCall(services, db, caller, params.id, body.participantId),
  leave: ({ params }, { db, caller }) => leaveCall(db, caller, params.id, params.participantId),
  ring: ({ params, body }, { db, caller }) => ringPeople(services, db, caller, params.id, body),
  decline: ({ params }, { db, caller }) => declineCall(db, caller, params.id),
  end: ({ params }, { db, caller }) => endCall(db, caller, params.id),
  // `dialIn` asks another server.
  dialIn: { outsideTransaction: ({ params }, context) => dialInOf(services, context, params.id) },
  accessToken: ({ query }, { db, caller }) => jitsiToken(services, db, caller, query.channelId),
  callDetails: ({ params }, { db, caller }) => callDetails(db, caller, params.id),
})
