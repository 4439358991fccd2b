import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

/** Newest requests of a room or an incident that are listed. */
export const CONFIRMATIONS_MAX = 50
/** People in a page of those who are asked. */
export const CONFIRMING_PAGE_MAX = 100
/** Time after which people can be reminded again, in milliseconds. */
export const CONFIRM_REMIND_EVERY = 60_000

/** A request to confirm a message of the chat, or an update of an incident, as one of its people sees it. */
export const ConfirmationRequest = z.object({
  id,
  /** Null for an update. */
  messageId: z.nullable(id),
  /** Null for a message. */
  activityId: z.nullable(id),
  /** Null for a person who was removed. */
  createdById: z.nullable(id),
  createTimestamp: timestamp,
  /** People of the room or the incident, without the one who asks. */
  askedCount: z.int(),
  confirmedCount: z.int(),
  /** True for a caller who is asked. */
  isAsked: z.boolean(),
  /** Time at which the caller confirmed; null before. */
  confirmTimestamp: z.nullable(timestamp),
  /** True for a caller who may remind the others. */
  canRemind: z.boolean(),
})
export type ConfirmationRequest = z.infer<typeof ConfirmationRequest>

/** A person who is asked to confirm. */
export const ConfirmingPerson = z.object({
  uuid: id,
  firstName: z.string(),
  lastName: z.string(),
  confirmTimestamp: z.nullable(timestamp),
})
export type ConfirmingPerson = z.infer<typeof ConfirmingPerson>

/** The message or the update to confirm, by its id. */
export const NewConfirmation = z.object({ subject: z.enum(['MESSAGE', 'UPDATE']), id })
export type NewConfirmation = z.infer<typeof NewConfirmation>

/** The room or the incident whose requests are listed, by its id. */
export const ConfirmationPlace = z.object({ place: z.enum(['ROOM', 'INCIDENT']), id })
export type ConfirmationPlace = z.infer<typeof ConfirmationPlace>
