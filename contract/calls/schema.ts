import * as z from 'zod/mini'

import { id, listOf, timestamp } from '#contract/kit/text.ts'
import { NamedPerson } from '#contract/users/schema.ts'

/** People of one call in the product's own rooms; more are refused. */
export const PEOPLE_MAX = 12
/** With more people than this a call in the product's own rooms carries sound alone. */
export const VIDEO_MAX = 6
/** Avatars of a call's banner (operations §9). */
export const AVATARS_MAX = 5
/** People who are rung with one call. */
export const RINGS_MAX = 500
/** How long somebody is rung, in milliseconds. */
export const RING_LIFE = 45_000
/** A page that is in a call says so on the socket this often, in milliseconds. */
export const SIGN_EVERY = 2_000
/** Who gives no sign for this long has left, in milliseconds. */
export const SIGN_LIFE = 6_000
/** A call that ended because nobody could be heard goes on where one of its pages comes back within this, in milliseconds. */
export const RESUME_WITHIN = 60_000
/** How long TURN credentials and Jitsi's token are valid, in milliseconds. */
export const ENGINE_LIFE = 4 * 60 * 60 * 1_000
/** Bytes of one signal between two participants, as JSON. */
export const SIGNAL_MAX = 64 * 1_024

export const CALL_FULL = `This call is full. A call can have at most ${PEOPLE_MAX} people.`
export const CALL_OVER = 'This call has ended.'
export const TOO_MANY_RINGS = `A maximum of ${RINGS_MAX} people can be called at once.`
export const NOBODY_TO_RING = 'There is nobody else to call.'

/** One page in a call. Somebody who joined with two devices counts twice. */
export const CallParticipant = z.object({
  participantId: id,
  userId: id,
  name: z.string(),
  avatar: z.nullable(z.string()),
  joined_at: timestamp,
})
export type CallParticipant = z.infer<typeof CallParticipant>

/** The call that a room has now (operations §3 "Channel": `data.callDetails`). */
export const CallDetails = z.object({
  callId: id,
  /** The message with the call's banner. */
  messageId: id,
  /** Nine digits: also the PIN of those who dial in. */
  meetingId: z.string(),
  started_at: timestamp,
  /** Everybody who is in it, first come first. */
  participants: z.array(CallParticipant),
})
export type CallDetails = z.infer<typeof CallDetails>

/** What a call's message says of it, also when it is over. */
export const MessageCall = z.object({
  id,
  started_at: timestamp,
  /** Null while it goes on. */
  ended_at: z.nullable(timestamp),
  /** Whether people were rung, and nobody but its starter was ever in it. */
  isMissed: z.boolean(),
})
export type MessageCall = z.infer<typeof MessageCall>

/** Where a browser finds the way through a firewall, as `RTCPeerConnection` takes it. */
export const IceServer = z.object({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  /** Valid for some hours. */
  credential: z.optional(z.string()),
})
export type IceServer = z.infer<typeof IceServer>

/** How a call is carried: peer to peer through the product, or by the Jitsi of the installation. */
export const CallEngine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('built-in'), iceServers: z.array(IceServer) }),
  z.object({ kind: z.literal('jitsi'), domain: z.string(), room: z.string(), token: z.string() }),
])
export type CallEngine = z.infer<typeof CallEngine>

/** A call as somebody who has just joined it needs it. */
export const JoinedCall = z.object({
  roomId: id,
  /** Name of the room, or of the others in a direct message. */
  title: z.string(),
  /** The caller's own page in the call. */
  participantId: id,
  call: CallDetails,
  engine: CallEngine,
})
export type JoinedCall = z.infer<typeof JoinedCall>

/** Who is rung. `EVERYBODY`: all members of the room; `INCIDENT`: everybody whom the room's incident targets. */
export const Ringing = z.discriminatedUnion('who', [
  z.object({ who: z.literal('PEOPLE'), userIds: listOf(id, RINGS_MAX, { tooMany: TOO_MANY_RINGS }) }),
  z.object({ who: z.enum(['NOBODY', 'EVERYBODY', 'INCIDENT']) }),
])
export type Ringing = z.infer<typeof Ringing>

/** The body of a new call. A room that has one already is joined instead. */
export const NewCall = z.object({
  roomId: id,
  /** Made by the page that joins: the same one joins once, however often it asks. */
  participantId: id,
  /** A direct message rings everybody in any case. */
  ringing: z._default(Ringing, { who: 'NOBODY' }),
})
export type NewCall = z.input<typeof NewCall>
/** The body of a call in the room of an incident. */
export const NewIncidentCall = z.object({
  participantId: id,
  ringing: z._default(Ringing, { who: 'INCIDENT' }),
})
export const JoinCall = z.object({ participantId: id })

/** An incoming call, as the called person's pages show it. */
export const IncomingCall = z.object({
  callId: id,
  roomId: id,
  title: z.string(),
  isDirect: z.boolean(),
  /** Whether the room belongs to an exercise. */
  isExercise: z.boolean(),
  /** Who calls. */
  by: NamedPerson,
  /** When the ringing ends. */
  until: timestamp,
})
export type IncomingCall = z.infer<typeof IncomingCall>

/** Who was in a call, and when. */
export const CallRecord = z.object({
  id,
  roomId: id,
  messageId: id,
  meetingId: z.string(),
  startedBy: NamedPerson,
  started_at: timestamp,
  ended_at: z.nullable(timestamp),
  attendance: z.array(
    z.object({ person: NamedPerson, joined_at: timestamp, left_at: z.nullable(timestamp) }),
  ),
})
export type CallRecord = z.infer<typeof CallRecord>

/** A number that joins calls by telephone. */
export const DialInNumber = z.object({
  /** Two letters, such as CA. */
  countryCode: z.string(),
  tollFree: z.boolean(),
  /** International format. */
  formattedNumber: z.string(),
})
export type DialInNumber = z.infer<typeof DialInNumber>
/** How somebody joins by telephone. Without numbers the service did not answer. */
export const DialIn = z.object({
  /** Typed before `#`. */
  pin: z.string(),
  numbers: z.array(DialInNumber),
})
export type DialIn = z.infer<typeof DialIn>

/** What participants tell each other about their sound and pictures. */
export const MediaState = z.object({ audio: z.boolean(), video: z.boolean(), screen: z.boolean() })
export type MediaState = z.infer<typeof MediaState>

/**
 * What a page in a call sends on the live socket.
 *
 * - `call-here`: it is in the call, every `SIGN_EVERY` and at once on a new socket
 * - `call-signal`: what one participant's engine says to another's; the server does not look inside
 * - `call-media`: its sound and pictures have changed
 * - `call-rings`: it shows calls from now on, and asks which ring
 */
export const CallMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call-rings') }),
  z.object({ type: z.literal('call-here'), callId: id, participantId: id }),
  z.object({ type: z.literal('call-signal'), callId: id, from: id, to: id, data: z.unknown() }),
  z.object({ type: z.literal('call-media'), callId: id, participantId: id, media: MediaState }),
])
export type CallMessage = z.infer<typeof CallMessage>

/**
 * What the live socket sends about calls.
 *
 * - `call-rings`: all calls that ring for this person, the last one first, where the page has asked
 * - `call-ring`: somebody calls this person; `call-ring-over`: they need not be rung any longer: answered or declined on
 *   another page, or nobody is waiting
 * - `call-here`: the answer to a page's sign; `isIn` is false where the server has taken it for gone: it joins again
 * - `call-signal`, `call-media`: from another participant, to pages in the call only
 * - who is in a call comes with the room's `callDetails`, as a change of the chat
 */
export const CallFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call-rings'), incoming: z.array(IncomingCall) }),
  z.object({ type: z.literal('call-ring'), incoming: IncomingCall }),
  z.object({ type: z.literal('call-ring-over'), callId: id }),
  z.object({ type: z.literal('call-here'), callId: id, participantId: id, isIn: z.boolean() }),
  z.object({ type: z.literal('call-signal'), callId: id, from: id, to: id, data: z.unknown() }),
  z.object({ type: z.literal('call-media'), callId: id, participantId: id, media: MediaState }),
])
export type CallFrame = z.infer<typeof CallFrame>
