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
/** How often each organisation is looked at, beside each time that something happened in it. */
const ROUND = MINUTE
/** After a failure events are not written at once: the service may be away. */
const PAUSE = 10 * SECOND
/** How long one process may write a page of changes before another one may. */
const LEASE = 3 * MINUTE
/** What takes its time before it is committed is not missed. */
const PEOPLE_OVERLAP = 5 * MINUTE
/** People, or members, of one call of the service. */
const AT_ONCE = 100
/** Channels of one page of the service. */
const CHANNELS_AT_ONCE = 30
/** In whose name the service has the rooms: who owns a room can change. */
const SERVER_USER = 'muster'

export const MESSAGES_ARE_HOSTED = "This organization's messages are at its chat service."
/** Refuses what only the built-in chat does for an organisation that has a hosted one. */
export const demandBuiltIn = ({ config }: Pick<Caller, 'config'>): void =>
  demand(config.streamApiKey === '', 409, MESSAGES_ARE_HOSTED)

const opened = ({ secrets, settings }: Services, { key, secret }: SealedAccount) => ({
  key,
  secret: secrets.open(secret, sealedFor(key)),
  url: settings.streamUrl,
})

/** The hosted service as the server of an organisation that has this account reaches it. */
export const serviceOf = (services: Services, account: SealedAccount): ChatService =>
  chatServiceOf(opened(services, account))

/** What connects somebody to the hosted service of their organisation; undefined for the built-in chat. */
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

/** A type of the service's channels and a room's id, as paths and ids of the service name it. */
const pathOf = ({ type, id }: Pick<MirroredRoom, 'type' | 'id'>) => `/channels/${type}/${id}`

/** What the service keeps of a person. */
const serviceUserOf = (person: NamedPerson) => ({ id: person.uuid, name: fullName(person), person })

/** What the service keeps of a room beside its members. Browsers read it back (`providers/chat/hosted`). */
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

/** A message of the server, such as that a room was marked. People's own are at the service alone. */
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
/** Goes on where the service does not have what is to be removed. */
const unlessMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error
}

/** One page of what the service is to be told. */
interface Page {
  readonly changes: readonly ChatChange[]
  readonly rooms: readonly MirroredRoom[]
  readonly people: readonly NamedPerson[]
  readonly after: MirrorState
  readonly hasMore: boolean
}

async function readPage(db: OrgDb, before: MirrorState): Promise<Page> {
  // First, so that who is committed from here on comes with the next page.
  const readAt = new Date(clock.now() - PEOPLE_OVERLAP).toISOString()
  const upTo = await findHead(db)
  const span = { after: before.sequence, upTo, limit: CHANGES_MAX }
  const { changes, sequence } = await readChanges(db, 'everything', span)
  const rooms = await listMirroredRooms(db, [...new Set(changes.map(({ roomId }) => roomId))])
  // Last: everybody who is named before is among them.
  const people = await listChangedPeople(db, before.people)
  return { changes, rooms, people, after: { sequence, people: readAt }, hasMore: sequence < upTo }
}

/** Writes one organisation's rooms to the service. Writing twice changes nothing. */
class MirrorWriter {
  readonly #service: ChatService
  constructor(service: ChatService) {
    this.#service = service
  }

  /** Removes channels that the organisation does not have any more: it was cleared, or the account was used before. */
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
    // Their tokens end at once, not with their hour.
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
      // Those who are members already keep their role otherwise.
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
 * Writes what changed in an organisation's rooms to its hosted service, as far as no other process does. Returns how many
 * changes.
 * @throws ServiceProblem where the service refuses or is away: what was not written is written with the next call
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

/** Keeps the hosted services of all organisations that have one up to date. */
export interface ChatMirror {
  /** Whether an organisation of this installation has a hosted service. */
  readonly isUsed: () => boolean
  readonly stop: () => void
}

/**
 * Writes rooms and members to the hosted services of organisations: soon after each event of one, and all once a minute, for
 * what failed. Called before the jobs begin.
 */
export async function mirrorChats(
  services: Services,
  onError: (error: Error, organisationId: string) => void,
): Promise<ChatMirror> {
  const { bus, database, jobs } = services
  const list = () => database.withProvider(SYSTEM, listHosted)
  /** Of organisations that were heard of: whether they have a hosted service. That is decided as they are created. */
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
