import * as z from 'zod/mini'

import { TEAM_PAGE_MAX } from '#contract/incidents/schema.ts'
import { id, listOf } from '#contract/kit/text.ts'

/**
 * Channels of a nudge. MESSAGE: a notification in the product and by email; SMS: a mass notification; CALL: rings from
 * the call of the incident, in which the caller is.
 */
export const NUDGE_CHANNELS = ['MESSAGE', 'SMS', 'CALL'] as const
export const NudgeChannel = z.enum(NUDGE_CHANNELS)
export type NudgeChannel = z.infer<typeof NudgeChannel>

/** Time after which a person can be nudged again by a channel, in milliseconds. */
export const NUDGE_EVERY = 60_000

export const NewNudge = z.object({
  channel: NudgeChannel,
  /** People to nudge; everybody who has not checked in without them. */
  userIds: z.optional(listOf(id, TEAM_PAGE_MAX)),
})
export type NewNudge = z.infer<typeof NewNudge>

/** Numbers of people of a nudge. */
export const Nudged = z.object({
  nudged: z.int(),
  /** People who were nudged by the channel less than a minute ago. */
  tooSoon: z.int(),
  /** People whom the channel cannot reach, such as by SMS without a phone number. */
  unreachable: z.int(),
})
export type Nudged = z.infer<typeof Nudged>
