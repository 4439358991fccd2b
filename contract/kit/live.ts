import * as z from 'zod/mini'

import { everybody, signedIn } from './access.ts'
import { defineApi } from './endpoint.ts'
import { timestamp } from './text.ts'

/**
 * One change, as the live socket sends it: the record's id, never its content. The client fetches what it shows again,
 * and the server checks access anew.
 */
export const LiveEvent = z.object({
  type: z.literal('event'),
  sequence: z.int(),
  noun: z.string(),
  /** Empty where nobody is told more than that something of the noun changed. */
  record: z.string(),
  verb: z.string(),
  /** Id of the record that this one belongs to, such as an activity's incident. */
  parent: z.nullable(z.string()),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** The first message on the socket. `after` is the last sequence that the client has heard of; null for none. */
export const LiveHello = z.object({
  ticket: z.string().check(z.maxLength(2_000)),
  after: z.nullable(z.int()),
  /**
   * Wants the chat too: every change in the caller's rooms after this one, however many; null for those from now on. Left
   * out, the socket carries no chat.
   */
  chatAfter: z.optional(z.nullable(z.int())),
})
export type LiveHello = z.infer<typeof LiveHello>

/**
 * What the server sends: `ready` once after the hello, with the newest sequence; `event` for each change;
 * `reset` instead of a long backlog: forget what is cached and ask again; `ended` before it closes a socket
 * whose session is over.
 */
export const LiveMessage = z.discriminatedUnion('type', [
  LiveEvent,
  z.object({ type: z.literal('ready'), sequence: z.int() }),
  z.object({ type: z.literal('reset'), sequence: z.int() }),
  z.object({ type: z.literal('ended') }),
])
export type LiveMessage = z.infer<typeof LiveMessage>

/** More missed changes than this are answered with `reset`. */
export const LIVE_BACKLOG_MAX = 500

export const liveApi = defineApi({
  ticket: {
    method: 'POST',
    path: '/live/ticket',
    access: signedIn,
    repeatable: true,
    summary: 'A ticket that opens the live socket once, within a minute.',
    reply: z.object({ ticket: z.string(), expiresAt: timestamp }),
    status: 201,
  },
})

/** The socket's path below the API base. It proves itself with a ticket in its first message. */
export const LIVE_PATH = '/live'
export const LIVE_ACCESS = everybody
