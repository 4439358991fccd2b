import * as z from 'zod/mini'

import { email, id, optionalText, requiredText, SHORT_TEXT_MAX, text, timestamp } from '#contract/kit/text.ts'

/** Roles that an organisation keeps, retired ones included. */
export const COMMAND_ROLES_MAX = 50
export const TOO_MANY_ROLES = `An organization keeps at most ${COMMAND_ROLES_MAX} roles. Please delete one that is not used.`
export const ROLE_NAME_REQUIRED = 'Please enter a name.'
export const ROLE_NAME_TAKEN = 'This name is in use.'
const ROLE_NAME_MAX = 100
const POSITION_MAX = 9_999
const POSITION_DIGITS = 10
export const POSITION_PROBLEM = `Please enter a whole number up to ${POSITION_MAX}.`
/** Characters of the statement of a handover. */
export const STATEMENT_MAX = 500
/** Rows per page of the history of holders. */
export const HOLDINGS_PAGE_MAX = 100

/** Work that follows a role: leading, standing in, and keeping the rhythm of updates. */
export const CommandDuty = z.enum(['COMMAND', 'DEPUTY', 'COMMUNICATIONS'])
export type CommandDuty = z.infer<typeof CommandDuty>

/** A role of the organisation's list. */
export const CommandRole = z.object({
  id,
  name: z.string(),
  /** One line of what its holder does. */
  description: z.nullable(z.string()),
  /** Place in the order, lowest first. */
  position: z.int(),
  /** True for a role that nobody can take any more. */
  isRetired: z.boolean(),
  /** Running incidents in which somebody holds it. */
  heldCount: z.int(),
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type CommandRole = z.infer<typeof CommandRole>

/** A place in an order: a whole number, which a form may send as it was typed. */
export const position = z.pipe(
  z.union([z.number(), text(POSITION_DIGITS)], POSITION_PROBLEM),
  z.pipe(
    z.transform(Number),
    z.int(POSITION_PROBLEM).check(z.minimum(0, POSITION_PROBLEM), z.maximum(POSITION_MAX, POSITION_PROBLEM)),
  ),
)

/** The body of a new role. */
export const roleInputs = {
  name: requiredText(ROLE_NAME_REQUIRED, ROLE_NAME_MAX),
  description: optionalText(SHORT_TEXT_MAX),
  position: z._default(position, 100),
  isRetired: z._default(z.boolean(), false),
}

/** A person who holds or held a role. */
export const RoleHolder = z.object({
  uuid: id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** False for somebody who was archived or banned since. */
  isActive: z.boolean(),
})
export type RoleHolder = z.infer<typeof RoleHolder>

/** A role in an incident. */
export const HeldRole = z.object({
  id,
  name: z.string(),
  description: z.nullable(z.string()),
  isRetired: z.boolean(),
  duty: z.nullable(CommandDuty),
  holder: z.nullable(RoleHolder),
  fromTimestamp: z.nullable(timestamp),
})
export type HeldRole = z.infer<typeof HeldRole>

/** The time by which the next update is due. */
export const NextUpdate = z.object({
  /** Null where none is due: by the configuration of the severity, or after the resolution. */
  dueTimestamp: z.nullable(timestamp),
  /** Email, or name of an API key, of whoever set the time by hand; null for the rhythm of the severity. */
  setBy: z.nullable(z.string()),
  /** Minutes from one update to the next at the severity; 0 for none. */
  minutes: z.int(),
  /** True where the caller may set the time by hand. */
  canSet: z.boolean(),
  version: z.int(),
})
export type NextUpdate = z.infer<typeof NextUpdate>

/** Roles of an incident with their holders, and the time of its next update. */
export const Command = z.object({
  /** False for a resolved incident, whose roles no longer change. */
  isActive: z.boolean(),
  /** In the organisation's order; retired roles only where they are held. */
  roles: z.array(HeldRole),
  nextUpdate: NextUpdate,
})
export type Command = z.infer<typeof Command>

/** The body with which a role is taken, given or handed over. */
export const RoleHandover = z.object({
  /** Email of an active colleague. */
  holder: email,
  /** Email of the holder as the caller knows it; null for a role that nobody holds. Another one is a conflict. */
  heldBy: z._default(z.nullable(email), null),
  /** Kept with the history of holders. */
  statement: optionalText(STATEMENT_MAX),
})
export type RoleHandover = z.infer<typeof RoleHandover>
/** The body with which a role is released. */
export const RoleRelease = z.object({ heldBy: email })
export type RoleRelease = z.infer<typeof RoleRelease>

/** The time in which somebody held a role. */
export const RoleHolding = z.object({
  id,
  /** Name of the role at that time. */
  title: z.string(),
  holder: RoleHolder,
  fromTimestamp: timestamp,
  /** Null for the current holder. */
  untilTimestamp: z.nullable(timestamp),
  /** Email, or name of an API key. */
  givenBy: z.string(),
  statement: z.nullable(z.string()),
})
export type RoleHolding = z.infer<typeof RoleHolding>

/** Days for which the next update can be set ahead. */
export const NEXT_UPDATE_DAYS_MAX = 31
export const NEXT_UPDATE_PAST = 'Please choose a time in the future.'
export const NEXT_UPDATE_TOO_LATE = `Please choose a time within ${NEXT_UPDATE_DAYS_MAX} days.`
/** The body that sets the next update by hand; null returns to the rhythm of the severity. */
export const NextUpdateChange = z.object({
  dueTimestamp: z.nullable(timestamp),
  /** The version shown to the caller; a stale one is refused. */
  version: z.optional(z.int()),
})
export type NextUpdateChange = z.infer<typeof NextUpdateChange>
