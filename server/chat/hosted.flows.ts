import { type ChatChange, CHANGES_MAX, type Message, type RoomRole } from '#contract/chat/schema.ts'
import { isManager } from '#contract/chat/rules.ts'
import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { clock, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import {
  type ChatService,
  chatServiceOf,
  sealedFor,
  ServiceProblem,
  serviceTokenOf,
} from '#server/kit/hosted-chat/service.ts'
import { plainText } from '#server/kit/core/rich-text.ts'
import type { Services } from '#server/kit/services.ts'

import { readChanges } from './changes.store.ts'
import {
  endLease,
  findAccount,
  listAllRoomIds,
  listChangedPeople,
  listHosted,
  listMirroredRooms,
  type MirroredRoom,
  type MirrorState,
  saveMirrored,
  type SealedAccount,
  takeLease,
} from './hosted.store.ts'
import { findHead } from './heads.store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'hosted chat' }
/** Interval of checking each organisation, beside the check after each of its events. */
const ROUND = MINUTE
/** Pause after a failure: the service may be away. */
const PAUSE = 10 * SECOND
/** Time that one process may take to write a page of changes. */
const LEASE = 3 * MINUTE
/** Overlap of reads, so that long transactions are not missed. */
const PEOPLE_OVERLAP = 5 * MINUTE
/** People, or members, per call of the service. */
const AT_ONCE = 100
/** Channels per page of the service. */
const CHANNELS_AT_ONCE = 30
/** Owner of all rooms at the service, because a room's owner can change. */
const SERVER_USER = 'muster'

export const MESSAGES_ARE_HOSTED = "This organization's messages are at its chat service."
/** Refuses functions of the built-in chat for an organisation with a hosted one. */
export const demandBuiltIn = ({ config }: Pick<Caller, 'config'>): void =>
  demand(config.streamApiKey === '', 409, MESSAGES_ARE_HOSTED)

const opened = ({ secrets, settings }: Services, { key, secret }: SealedAccount) => ({
  key,
  secret: secrets.open(secret, sealedFor(key)),
  url: settings.streamUrl,
})

/** A client of the hosted service for the account of an organisation. */
export const serviceOf = (services: Services, account: SealedAccount): ChatService =>
  chatServiceOf(opened(services, account))

/** Credentials that connect a person to their organisation's hosted service; undefined for the built-in chat. */
export async function hostedAccess(
  services: Services,
  db: OrgDb,
  userId: string,
): Promise<{ accessToken: string; serviceUrl: string } | undefined> {
  const account = await findAccount(db)
  if (!account) return undefined
  const accessToken = await serviceTokenOf(opened(services, account), userId)
  return { accessToken, serviceUrl: services.settings.streamUrl }
}

/** The service's path of a channel. */
const pathOf = ({ type, id }: Pick<MirroredRoom, 'type' | 'id'>) => `/channels/${type}/${id}`

/** A person's fields at the service. */
const serviceUserOf = (person: NamedPerson) => ({ id: person.uuid, name: fullName(person), person })

/** A room's fields at the service, without members. Browsers read them back (`providers/chat/hosted`). */
const channelDataOf = (room: MirroredRoom) => ({
  name: room.name ?? '',
  description: room.description ?? '',
  kind: room.kind,
  isWarRoom: room.isWarRoom,
  isHeadquarters: room.isHeadquarters,
  privileged: room.privileged,
  privilegedStatus: room.privilegedStatus,
  callDetails: room.callDetails,
  version: room.version,
  roomTimestamp: room.updated_at,
  owner: room.owner,
  incidentId: room.incidentId,
})

/** A system message, such as that a room was marked. People's own messages are at the service alone. */
const serviceMessageOf = (message: Message) => ({
  id: message.id,
  user_id: message.user,
  text: plainText(message.text),
  richText: message.text,
  isCall: message.isCall,
  ...(message.call && { call: message.call }),
  privileged: message.privileged,
  privilegedStatus: message.privilegedStatus,
})

const roleOf = (role: RoomRole) => (isManager(role) ? 'channel_moderator' : 'channel_member')
const chunks = <T>(all: readonly T[], size = AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

const isMissing = (error: unknown) => error instanceof ServiceProblem && error.status === 404
/** Ignores that the service lacks a record to remove. */
const unlessMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error
}

/** One page of changes for the service. */
interface Page {
  readonly changes: readonly ChatChange[]
  readonly rooms: readonly MirroredRoom[]
  readonly people: readonly NamedPerson[]
  readonly after: MirrorState
  readonly hasMore: boolean
}

async function readPage(db: OrgDb, before: MirrorState): Promise<Page> {
  // Read first, so that later commits come with the next page.
  const readAt = new Date(clock.now() - PEOPLE_OVERLAP).toISOString()
  const upTo = await findHead(db)
  const span = { after: before.sequence, upTo, limit: CHANGES_MAX }
  const { changes, sequence } = await readChanges(db, 'everything', span)
  const rooms = await listMirroredRooms(db, [...new Set(changes.map(({ roomId }) => roomId))])
  // Read last, so that the page includes everybody named before.
  const people = await listChangedPeople(db, before.people)
  return { changes, rooms, people, after: { sequence, people: readAt }, hasMore: sequence < upTo }
}

/** Writes one organisation's rooms to the service. Idempotent. */
class MirrorWriter {
  readonly #service: ChatService
  constructor(service: ChatService) {
    this.#service = service
  }

  /** Removes channels that the organisation no longer has: it was cleared, or the account was used before. */
  async removeStrays(roomIds: ReadonlySet<string>): Promise<void> {
    const strays: string[] = []
    for (let offset = 0; ; offset += CHANNELS_AT_ONCE) {
      const { channels } = await this.#service.call<{ channels: { channel: { id: string; cid: string } }[] }>(
        'POST',
        '/channels',
        {
          filter_conditions: { type: { $in: ['team', 'messaging'] } },
          sort: [{ field: 'created_at', direction: 1 }],
          state: false,
          watch: false,
          presence: false,
          limit: CHANNELS_AT_ONCE,
          offset,
        },
      )
      for (const { channel } of channels) if (!roomIds.has(channel.id)) strays.push(channel.cid)
      if (channels.length < CHANNELS_AT_ONCE) break
    }
    for (const cids of chunks(strays))
      await this.#service.call('POST', '/channels/delete', { cids, hard_delete: true })
  }

  async write({ people, rooms, changes }: Page): Promise<void> {
    await this.#writePeople(people)
    const byId = new Map(rooms.map((room) => [room.id, room]))
    for (const room of rooms)
      if (room.isDeleted)
        await this.#service.call('DELETE', `${pathOf(room)}?hard_delete=true`).catch(unlessMissing)
      else await this.#writeRoom(room)
    for (const change of changes) {
      const room = byId.get(change.roomId)
      if (!room || room.isDeleted) continue
      if (change.kind === 'members') await this.#writeMembers(room, change.members)
      else if (change.kind === 'message') await this.#writeMessage(room, change.message)
    }
  }

  async #writePeople(people: readonly NamedPerson[]): Promise<void> {
    for (const some of chunks(people))
      await this.#service.call('POST', '/users', {
        users: Object.fromEntries(some.map((person) => [person.uuid, serviceUserOf(person)])),
      })
    // Revokes their tokens at once, before the hour ends.
    const archived = people.filter(({ active }) => !active)
    const revoke_tokens_issued_before = clock.timestamp()
    for (const some of chunks(archived))
      await this.#service.call('PATCH', '/users', {
        users: some.map(({ uuid }) => ({ id: uuid, set: { revoke_tokens_issued_before } })),
      })
  }

  async #writeRoom(room: MirroredRoom): Promise<void> {
    const data = channelDataOf(room)
    await this.#service.call('POST', `${pathOf(room)}/query`, {
      data: { ...data, created_by: { id: SERVER_USER, name: 'Muster' } },
      state: false,
    })
    await this.#service.call('PATCH', pathOf(room), { set: data, user_id: SERVER_USER })
  }

  async #writeMembers(
    room: MirroredRoom,
    members: (ChatChange & { kind: 'members' })['members'],
  ): Promise<void> {
    const left = members.filter((member) => member.left).map(({ user_id }) => user_id)
    const present = members
      .filter((member) => !member.left)
      .map(({ user_id, channel_role }) => ({ user_id, channel_role: roleOf(channel_role) }))
    for (const remove_members of chunks(left))
      await this.#service.call('POST', pathOf(room), { remove_members })
    for (const some of chunks(present)) {
      await this.#service.call('POST', pathOf(room), { add_members: some, hide_history: false })
      // Existing members would otherwise keep their role.
      await this.#service.call('POST', pathOf(room), { assign_roles: some })
    }
  }

  async #writeMessage(room: MirroredRoom, message: Message): Promise<void> {
    const path = `/messages/${message.id}`
    if (message.deletedAt !== null) {
      await this.#service.call('DELETE', path).catch(unlessMissing)
      return
    }
    const known = await this.#service.call('GET', path).catch(unlessMissing)
    await this.#service.call('POST', known ? path : `${pathOf(room)}/message`, {
      message: serviceMessageOf(message),
    })
  }
}

const inside =
  ({ database }: Services, organisationId: string) =>
  <T>(work: (db: OrgDb) => Promise<T>): Promise<T> =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
const leaseEnd = () => new Date(clock.now() + LEASE).toISOString()

/**
 * Writes changes in an organisation's rooms to its hosted service, unless another process does. Returns the number of
 * changes.
 * @throws ServiceProblem where the service refuses or is away: the next call writes the remaining changes
 */
export async function mirrorOrganisation(services: Services, organisationId: string): Promise<number> {
  const within = inside(services, organisationId)
  const reserved = await within((db) => takeLease(db, { now: clock.timestamp(), until: leaseEnd() }))
  if (!reserved) return 0
  const writer = new MirrorWriter(serviceOf(services, reserved))
  let count = 0
  try {
    if (reserved.sequence === 0) await writer.removeStrays(new Set(await within(listAllRoomIds)))
    for (let before: MirrorState = reserved; ;) {
      const from = before
      const page = await within((db) => readPage(db, from))
      await writer.write(page)
      count += page.changes.length
      const isSaved = await within((db) =>
        saveMirrored(db, from, page.after, page.hasMore ? leaseEnd() : null),
      )
      if (!page.hasMore && isSaved) return count
      if (!isSaved) break
      before = page.after
    }
    await within(endLease)
  } catch (error) {
    await within(endLease)
    throw error
  }
  return count
}

/** Mirrors rooms to the hosted services of all organisations that have one. */
export interface ChatMirror {
  /** True when an organisation of this installation has a hosted service. */
  readonly isUsed: () => boolean
  readonly stop: () => void
}

/**
 * Starts writing rooms and members to hosted services: soon after each event of an organisation, and for all once a
 * minute, to repeat failures. Call before the jobs begin.
 */
export async function mirrorChats(
  services: Services,
  onError: (error: Error, organisationId: string) => void,
): Promise<ChatMirror> {
  const { bus, database, jobs } = services
  const list = () => database.withProvider(SYSTEM, listHosted)
  /** Known organisations, true with a hosted service, which is decided at their creation. */
  const known = new Map((await list()).map((id) => [id, true]))
  const running = new Map<string, 'once' | 'again'>()
  const failedAt = new Map<string, number>()
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(id: string): Promise<number> {
    if (running.has(id)) {
      running.set(id, 'again')
      return 0
    }
    let count = 0
    try {
      do {
        running.set(id, 'once')
        count += await mirrorOrganisation(services, id)
        failedAt.delete(id)
      } while (!signal.aborted && running.get(id) === 'again')
    } catch (error) {
      failedAt.set(id, clock.now())
      if (!signal.aborted) onError(error as Error, id)
    } finally {
      running.delete(id)
    }
    return count
  }
  async function hear(id: string): Promise<void> {
    if (!known.has(id)) {
      known.set(id, false)
      const account = await inside(services, id)(findAccount)
      known.set(id, account !== undefined)
    }
    const isPaused = clock.now() < (failedAt.get(id) ?? -Infinity) + PAUSE
    if (known.get(id) && !isPaused && !signal.aborted) await run(id)
  }
  jobs.every('hosted chats', ROUND, async () => {
    let count = 0
    for (const id of await list()) {
      known.set(id, true)
      // oxlint-disable-next-line no-await-in-loop -- one organisation at a time
      count += await run(id)
    }
    return count
  })
  const stopListening = bus.subscribe('events', (id) => {
    if (id !== null) void hear(id).catch((error: Error) => signal.aborted || onError(error, id))
  })
  return {
    isUsed: () => [...known.values()].some(Boolean),
    stop: () => {
      stopping.abort()
      stopListening()
    },
  }
}
