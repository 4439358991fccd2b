import * as z from 'zod/mini'

import { everybody, signedIn } from './access.ts'
import { defineApi } from './endpoint.ts'
import { timestamp } from './text.ts'

/**
 * A change on the live socket: the record's id, never its content. The client fetches what it shows again, so
 * that the server checks access.
 */
export const LiveEvent = z.object({
  type: z.literal('event'),
  sequence: z.int(),
  noun: z.string(),
  /** Empty where recipients may only know that some record of the noun changed. */
  record: z.string(),
  verb: z.string(),
  /** Id of the record's parent, such as an activity's incident. */
  parent: z.nullable(z.string()),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** First message of the client. `after` is the last sequence received; null for none. */
export const LiveHello = z.object({
  ticket: z.string().check(z.maxLength(2_000)),
  after: z.nullable(z.int()),
  /**
   * Subscribes to the chat: all changes in the caller's rooms after this sequence, or from now on for null.
   * Absent for a socket without chat.
   */
  chatAfter: z.optional(z.nullable(z.int())),
})
export type LiveHello = z.infer<typeof LiveHello>

/**
 * Messages of the server: `ready` once after the hello, with the newest sequence; `event` for each change; `reset`
 * instead of a long backlog, to invalidate the client's cache; `ended` before it closes the socket of an ended session.
 */
export const LiveMessage = z.discriminatedUnion('type', [
  LiveEvent,
  z.object({ type: z.literal('ready'), sequence: z.int() }),
  z.object({ type: z.literal('reset'), sequence: z.int() }),
  z.object({ type: z.literal('ended') }),
])
export type LiveMessage = z.infer<typeof LiveMessage>

/** Missed changes up to which they are sent; beyond, a `reset`. */
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

/** The socket's path below the API base. Clients authenticate with a ticket in the first message. */
export const LIVE_PATH = '/live'
export const LIVE_ACCESS = everybody
