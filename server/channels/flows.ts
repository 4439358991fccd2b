import type {
  ChannelMember,
  ChannelWithMembers,
  MemberChanges,
  MemberQuery,
} from '#contract/channels/schema.ts'
import { hostedAccess } from '#server/chat/hosted.flows.ts'
import { markPrivileged } from '#server/chat/messages.flows.ts'
import {
  type Acting,
  changeModerators,
  changeRoles,
  changeText,
  deleteRoom,
  dismiss,
  enterRoom,
  HEADQUARTERS_STAYS,
  peopleFor,
  type RoomTextChanges,
  standingsOf,
} from '#server/chat/rooms.flows.ts'
import { lockChat } from '#server/chat/heads.store.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { findChannel, listChannelMembers } from './store.ts'

const CHANNEL = 'This channel'

/** A channel, locked for a change. */
async function held(db: OrgDb, id: string): Promise<ChannelWithMembers['channel']> {
  await lockChat(db)
  const found = await findChannel(db, id)
  if (!found) throw notFound(CHANNEL)
  demand(!found.channel.isHeadquarters, 403, HEADQUARTERS_STAYS)
  return found.channel
}

export async function membersOf(db: OrgDb, query: MemberQuery): Promise<ChannelMember[]> {
  if (!(await findChannel(db, query.id))) throw notFound(CHANNEL)
  return listChannelMembers(db, query)
}

export async function updateChannel(
  db: OrgDb,
  id: string,
  changes: RoomTextChanges,
): Promise<ChannelWithMembers> {
  const channel = await held(db, id)
  await changeText(db, channel, changes)
  return (await findChannel(db, id))!
}

/** Adds and removes members and moderators, in this order. The owner is neither removed nor demoted. */
export async function changeMembers(
  db: OrgDb,
  by: Acting,
  id: string,
  changes: MemberChanges,
): Promise<ChannelWithMembers> {
  const { add_members = [], remove_members = [], add_moderators = [], demote_moderators = [] } = changes
  const added = await peopleFor(db, by, add_members)
  await held(db, id)
  await enterRoom(db, id, added)
  const [removed, promoted, demoted] = [
    await standingsOf(db, id, remove_members),
    await standingsOf(db, id, add_moderators),
    await standingsOf(db, id, demote_moderators),
  ]
  const all = [...removed, ...promoted, ...demoted]
  demand(
    all.every(({ role }) => role !== 'owner'),
    403,
    'The owner of a channel can be neither removed nor demoted.',
  )
  demand(
    promoted.every(({ active }) => active),
    409,
    'Archived members cannot be made admins.',
  )
  await dismiss(db, id, removed)
  await changeRoles(db, id, promoted, 'channel_moderator')
  await changeRoles(db, id, demoted, 'member')
  return (await findChannel(db, id))!
}

export async function removeChannel(services: Services, db: OrgDb, id: string): Promise<void> {
  await deleteRoom(services, db, await held(db, id))
}

/** A token of the organisation's hosted chat service, or a ticket of the live socket. */
export async function accessToken(
  services: Services,
  db: OrgDb,
  caller: Caller,
): Promise<{ accessToken: string; serviceUrl?: string }> {
  const { tokens } = services
  const hosted = caller.config.streamApiKey !== '' && (await hostedAccess(services, db, caller.id))
  if (hosted) return hosted
  const { ticket } = await tokens.issueTicket({
    userId: caller.id,
    organisationId: caller.organisation.id,
    sessionId: caller.sessionId ?? '',
  })
  return { accessToken: ticket }
}

export const addModerators = (db: OrgDb, by: Acting, id: string, userIds: readonly string[]) =>
  changeModerators(db, by, id, userIds, 'channel_moderator')
export const demoteModerators = (db: OrgDb, by: Acting, id: string, userIds: readonly string[]) =>
  changeModerators(db, by, id, userIds, 'member')

export const mark = ({ chat }: Services, db: OrgDb, by: Acting, id: string, isPrivileged: boolean) =>
  markPrivileged(chat, db, by, id, isPrivileged)
