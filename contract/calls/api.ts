import * as z from 'zod/mini'

import { incidentRoomAccess } from '#contract/chat/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { ById, id, nothing } from '#contract/kit/text.ts'

import { callsAccess as access } from './access.ts'
import { CallRecord, DialIn, JoinCall, JoinedCall, NewCall, NewIncidentCall, Ringing } from './schema.ts'

const over = { 409: 'The call has ended, or is full.' }

/** Calls in chat rooms (operations §4, §7; design of calls). */
export const callsApi = defineApi({
  start: {
    method: 'POST',
    path: '/calls',
    access,
    summary: 'Starts a call in a room of the caller, or joins the one that the room has, and rings people.',
    body: NewCall,
    bodyLimit: BODY_LIMIT_TEXTS,
    repeatable: true,
    reply: JoinedCall,
    status: 201,
    errors: { 409: 'The call is full, the room is archived, or a new call would ring nobody.' },
  },
  startInIncident: {
    method: 'POST',
    path: '/incident/:id/call',
    access: incidentRoomAccess,
    summary:
      'Starts a call in the breakout room of an incident, or joins its present one, and rings everybody of the incident. An active incident without a room gets one from who may change it. Where the incident targets nobody in particular, everybody who is asked to check in becomes a member of the room.',
    params: ById,
    body: NewIncidentCall,
    bodyLimit: BODY_LIMIT_TEXTS,
    repeatable: true,
    reply: JoinedCall,
    status: 201,
    errors: {
      403: 'The caller is not in the breakout room, or may not make one.',
      409: 'The call is full, a new one would ring nobody, or the incident is resolved and has no room.',
    },
  },
  one: {
    method: 'GET',
    path: '/calls/:id',
    access,
    summary: 'A call of a room of the caller, with everybody who was in it and when.',
    params: ById,
    reply: CallRecord,
  },
  join: {
    method: 'POST',
    path: '/calls/:id/participants',
    access,
    summary: 'Joins a call that goes on.',
    params: ById,
    body: JoinCall,
    repeatable: true,
    reply: JoinedCall,
    status: 201,
    errors: over,
  },
  leave: {
    method: 'DELETE',
    path: '/calls/:id/participants/:participantId',
    access,
    summary: 'Leaves a call. The last one to leave ends it.',
    params: z.object({ id, participantId: id }),
    repeatable: true,
    reply: nothing,
    status: 204,
  },
  ring: {
    method: 'POST',
    path: '/calls/:id/rings',
    access,
    summary: 'Rings members of the room who are not in the call. The caller has to be in it.',
    params: ById,
    body: Ringing,
    bodyLimit: BODY_LIMIT_TEXTS,
    repeatable: true,
    reply: z.object({ rung: z.int() }),
    errors: over,
  },
  decline: {
    method: 'POST',
    path: '/calls/:id/decline',
    access,
    summary: 'Declines a call that rings for the caller, on all of their pages.',
    params: ById,
    repeatable: true,
    reply: nothing,
    status: 204,
  },
  end: {
    method: 'DELETE',
    path: '/calls/:id',
    access,
    summary: 'Ends a call for everybody: owners, admins and moderators of the room.',
    params: ById,
    repeatable: true,
    reply: nothing,
    status: 204,
  },
  dialIn: {
    method: 'GET',
    path: '/calls/:id/dial-in',
    access,
    summary: 'How to join a call that goes on by telephone, where the organisation has it.',
    params: ById,
    reply: DialIn,
    errors: over,
  },
  accessToken: {
    method: 'GET',
    path: '/jitsi/accessToken',
    access,
    summary:
      'A token for the call that a room has now, for the Jitsi of the installation. Without a room: for the call that the caller is in.',
    query: z.object({ channelId: z.optional(id) }),
    reply: z.object({ accessToken: z.string() }),
    errors: { 409: 'The room has no call, the caller is in none, or the installation has no Jitsi.' },
  },
  callDetails: {
    method: 'GET',
    path: '/stream/:id/callDetails',
    access,
    summary: 'Who is in the call of a room, each as JSON with `avatar`, `name` and `participantId`.',
    params: ById,
    reply: z.object({ data: z.object({ currentParticipants: z.array(z.string()) }) }),
  },
})
