import * as z from 'zod/mini'

import { Room } from '#contract/chat/schema.ts'
import { personWith } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { truth } from '#contract/kit/query.ts'
import { id, nothing } from '#contract/kit/text.ts'

import { channelsAccess as access } from './access.ts'
import {
  ChannelMember,
  ChannelQuery,
  ChannelText,
  ChannelWithMembers,
  MemberChanges,
  MemberQuery,
  Moderators,
} from './schema.ts'

const ByType = z.object({ type: z.literal('team'), id })
const member = personWith('chats')
const headquarters = { 403: 'Headquarters cannot be edited or managed.' }

/**
 * Channels, the team rooms: their administration (administration §7.2), and endpoints for members that both
 * chat engines have (operations §7).
 */
export const channelsApi = defineApi({
  list: {
    method: 'POST',
    path: '/streamadmin/channels',
    access,
    summary:
      'A page of war rooms and breakout rooms, also those that the caller is not in. Messages are never among it.',
    body: ChannelQuery,
    repeatable: true,
    /** `total` counts the channels of all pages. */
    reply: z.object({ channels: z.array(ChannelWithMembers), total: z.int() }),
  },
  members: {
    method: 'POST',
    path: '/streamadmin/members',
    access,
    summary: 'A page of the members of a channel, in the order of their ids.',
    body: MemberQuery,
    repeatable: true,
    reply: z.object({ members: z.array(ChannelMember) }),
  },
  update: {
    method: 'PATCH',
    path: '/streamadmin/channels/:type/:id',
    access,
    summary: 'Changes name and description of a channel.',
    params: ByType,
    body: ChannelText,
    reply: ChannelWithMembers,
    errors: { ...headquarters, 409: 'The name is in use.' },
  },
  changeMembers: {
    method: 'POST',
    path: '/streamadmin/channels/:type/:id',
    access,
    summary: 'Adds and removes members and moderators of a channel.',
    params: ByType,
    body: MemberChanges,
    reply: ChannelWithMembers,
    errors: headquarters,
  },
  remove: {
    method: 'DELETE',
    path: '/streamadmin/channels/:type/:id',
    access,
    summary: 'Deletes a channel with all its messages.',
    params: ByType,
    reply: nothing,
    status: 204,
    errors: headquarters,
  },
  accessToken: {
    method: 'GET',
    path: '/stream/accessToken',
    access: member,
    summary:
      "A token that connects the caller to the chat: a ticket of the live socket, for a minute, or a token of the organization's hosted chat service, for an hour.",
    reply: z.object({
      accessToken: z.string(),
      /** Address of the hosted chat service; absent for the built-in chat. */
      serviceUrl: z.optional(z.string()),
    }),
  },
  addModerator: {
    method: 'POST',
    path: '/stream/addModerator',
    access: member,
    summary: 'Makes members of a channel moderators.',
    body: Moderators,
    reply: Room,
  },
  demoteModerator: {
    method: 'POST',
    path: '/stream/demoteModerator',
    access: member,
    summary: 'Makes moderators of a channel plain members.',
    body: Moderators,
    reply: Room,
  },
  mark: {
    method: 'POST',
    path: '/privilege/:id/:isPrivileged',
    access: member,
    summary: 'Marks a war room as privileged, or takes the mark away.',
    params: z.object({ id, isPrivileged: truth }),
    reply: Room,
  },
})
