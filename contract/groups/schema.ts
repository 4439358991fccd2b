import * as z from 'zod/mini'

import {
  email,
  id,
  listOf,
  MEDIUM_TEXT_MAX,
  optionalText,
  requiredText,
  timestamp,
} from '#contract/kit/text.ts'

/** More members than any group has; a longer list is a mistake. */
export const GROUP_MEMBERS_MAX = 20_000
export const GROUP_NAME_REQUIRED = 'Group name is required.'
export const GROUP_NAME_TAKEN = 'A group with this name already exists.'
export const GROUP_MEMBER_REQUIRED = 'At least one team member is required.'
export const GROUPS_OFF = 'Groups are not enabled.'
export const NO_SUCH_GROUP = 'This group does not exist.'
export const GROUP_TARGETED = 'This group is targeted in an incident and cannot be deleted.'

/** A group in its administration, without the members, who may be thousands (administration §3). */
export const GroupSummary = z.object({
  id,
  name: z.string(),
  description: z.nullable(z.string()),
  userCount: z.int(),
  /** True for a group whose members are in the order in which they are asked. */
  isOrdered: z.boolean(),
  /** Email address. */
  createdBy: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type GroupSummary = z.infer<typeof GroupSummary>
/** Email addresses of the members, including archived ones: in their order, or sorted by name. */
const userIds = z.array(z.string())
export const Group = z.extend(GroupSummary, { userIds })
export type Group = z.infer<typeof Group>
/** A group in a list: pages leave the members out, the whole list includes them. */
export const ListedGroup = z.extend(GroupSummary, { userIds: z.optional(userIds) })
export type ListedGroup = z.infer<typeof ListedGroup>

const fields = {
  name: requiredText(GROUP_NAME_REQUIRED),
  description: optionalText(MEDIUM_TEXT_MAX),
  /** Email addresses of people of the organisation, including archived and external ones. */
  userIds: listOf(email, GROUP_MEMBERS_MAX, { required: GROUP_MEMBER_REQUIRED }),
  /** True keeps the members in the order of `userIds`. Unchanged by default. */
  isOrdered: z.optional(z.boolean()),
}
/** The body of a new group (administration §5, §7.1). */
export const NewGroup = z.object(fields)
export type NewGroup = z.infer<typeof NewGroup>
export const GroupChanges = z.object({ ...fields, version: z.optional(z.int()) })
export type GroupChanges = z.infer<typeof GroupChanges>

/** A group to choose for access to folders, as a target or for notification (operations §3). */
export const GroupOption = z.object({
  id,
  name: z.string(),
  /** True for members. API keys act for the organisation and have access to every group. */
  canAccess: z.boolean(),
  userCount: z.int(),
  /** Email addresses of the members, if requested. */
  userIds: z.optional(z.array(z.string())),
})
export type GroupOption = z.infer<typeof GroupOption>
