import * as z from 'zod/mini'

import {
  MEMBERS_AT_ONCE,
  PrivilegedStatus,
  RoomRole,
  RoomText,
  TOO_MANY_MEMBERS,
} from '#contract/chat/schema.ts'
import { id, listOf, SHORT_TEXT_MAX, text, timestamp } from '#contract/kit/text.ts'
import { NamedPerson } from '#contract/users/schema.ts'

/** Channels per page (administration §7.2). */
export const CHANNELS_PER_PAGE = 30
export const PAGE_MAX = 100
/** Members that come with a channel; the rest is queried separately. */
export const CHANNEL_MEMBERS_MAX = 100

export const UPDATED = 'Channel updated successfully.'
export const notDeleted = (name: string) => `${name} could not be deleted`

/** A war room or breakout room in its administration (administration §3). */
export const Channel = z.object({
  cid: z.string(),
  type: z.literal('team'),
  id,
  name: z.string(),
  description: z.nullable(z.string()),
  isWarRoom: z.boolean(),
  isHeadquarters: z.boolean(),
  privilegedStatus: z.nullable(PrivilegedStatus),
  member_count: z.int(),
  last_message_at: z.nullable(timestamp),
  updated_at: timestamp,
  created_at: timestamp,
  /** The incident that the room was created for. */
  incidentId: z.nullable(id),
})
export type Channel = z.infer<typeof Channel>
export const ChannelMember = z.object({
  user_id: id,
  channel_role: RoomRole,
  created_at: timestamp,
  user: NamedPerson,
})
export type ChannelMember = z.infer<typeof ChannelMember>
/** A channel with its first members. */
export const ChannelWithMembers = z.object({ channel: Channel, members: z.array(ChannelMember) })
export type ChannelWithMembers = z.infer<typeof ChannelWithMembers>

const autocomplete = z.union([
  text(SHORT_TEXT_MAX),
  z.object({ $autocomplete: text(SHORT_TEXT_MAX) }),
  z.object({ $eq: text(SHORT_TEXT_MAX) }),
])
const oneOrMore = z.union([id, z.object({ $eq: id }), z.object({ $in: listOf(id, PAGE_MAX) })])
const order = <const Field extends string>(...fields: readonly [Field, ...Field[]]) =>
  z._default(
    listOf(z.object({ field: z.enum(fields), direction: z.union([z.literal(1), z.literal(-1)]) }), 5),
    [],
  )
const pageSize = (usual: number) => z._default(z.int().check(z.minimum(1), z.maximum(PAGE_MAX)), usual)

/** Sort fields of channels. */
export const CHANNEL_ORDERS = ['last_message_at', 'created_at', 'updated_at', 'name', 'member_count'] as const
/** The body of a query for channels. Neither direct messages nor messages are ever among the results. */
export const ChannelQuery = z.object({
  filter_conditions: z._default(
    z.object({
      /** Only team channels are returned. */
      type: z.optional(z.union([z.literal('team'), z.object({ $eq: z.literal('team') })])),
      isWarRoom: z.optional(z.boolean()),
      name: z.optional(autocomplete),
      id: z.optional(oneOrMore),
    }),
    {},
  ),
  sort: order(...CHANNEL_ORDERS),
  state: z._default(z.boolean(), true),
  message_limit: z._default(z.int().check(z.minimum(0)), 0),
  /** Members that come with each channel. */
  memberLimit: z._default(z.int().check(z.minimum(0), z.maximum(CHANNEL_MEMBERS_MAX)), CHANNEL_MEMBERS_MAX),
  limit: pageSize(CHANNELS_PER_PAGE),
  offset: z._default(z.int().check(z.minimum(0)), 0),
})
export type ChannelQuery = z.infer<typeof ChannelQuery>

/** The body of a query for members, sorted by id. */
export const MemberQuery = z.object({
  type: z.literal('team'),
  id,
  filter_conditions: z._default(
    z.object({ name: z.optional(autocomplete), user_id: z.optional(oneOrMore) }),
    {},
  ),
  sort: order('user_id'),
  limit: pageSize(CHANNELS_PER_PAGE),
  user_id_gt: z.optional(id),
})
export type MemberQuery = z.infer<typeof MemberQuery>

export const ChannelText = z.object({ set: RoomText })

const people = z.optional(listOf(id, MEMBERS_AT_ONCE, { tooMany: TOO_MANY_MEMBERS }))
/** The body of a change of members. */
export const MemberChanges = z.object({
  add_members: people,
  remove_members: people,
  add_moderators: people,
  demote_moderators: people,
})
export type MemberChanges = z.infer<typeof MemberChanges>

export const Moderators = z.object({
  channelId: id,
  moderatorIds: listOf(id, MEMBERS_AT_ONCE, { required: 'Please select at least one team member.' }),
})
