import { sql } from 'kysely'

import type { SharedRoom } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { PERSON } from '#server/kit/database/people.ts'

import { SHARED, type SharedRow, toSharedRoom } from './shared-rooms.store.ts'

/** The sealed credentials of the hosted chat service. */
export interface SealedAccount {
  readonly key: string
  readonly secret: Buffer
}
/** Position up to which an organisation's chat is mirrored. */
export interface MirrorState {
  readonly sequence: number
  readonly people: string | null
}

/** The organisation's account of the hosted chat service; undefined for the built-in chat. */
export async function findAccount(db: OrgDb): Promise<SealedAccount | undefined> {
  const { rows } = await sql<SealedAccount>`select public_key as key, secret from chat_credentials`.execute(
    db,
  )
  return rows[0]
}

/** Organisations with messages at the hosted service. */
export async function listHosted(db: ProviderDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.organisation_id as id from chat_credentials c
      join organisations o on o.id = c.organisation_id and not o.is_closed`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Leases the writing to the service to one process until a time. Returns the account and the mirrored position;
 * undefined while another process writes, and for the built-in chat.
 */
export async function takeLease(
  db: OrgDb,
  { now, until }: { now: string; until: string },
): Promise<(SealedAccount & MirrorState) | undefined> {
  const { rows } = await sql<SealedAccount & MirrorState>`
    update chat_credentials set leased_until = ${until} where leased_until is null or leased_until < ${now}
    returning public_key as key, secret, mirrored_sequence as sequence, mirrored_people as people`.execute(db)
  return rows[0]
}
/**
 * Stores the mirrored position, and prolongs the lease, or ends it with null. Returns false where the organisation was
 * cleared meanwhile, so that everything has to be written again.
 */
export async function saveMirrored(
  db: OrgDb,
  before: MirrorState,
  { sequence, people }: MirrorState,
  until: string | null,
): Promise<boolean> {
  const { rows } = await sql`update chat_credentials
    set mirrored_sequence = ${sequence}, mirrored_people = ${people}, leased_until = ${until}
    where mirrored_sequence = ${before.sequence} returning 1`.execute(db)
  return rows.length > 0
}
/** Ends the lease after a failure, without a new position. */
export async function endLease(db: OrgDb): Promise<void> {
  await sql`update chat_credentials set leased_until = null`.execute(db)
}

/** A room for the service. */
export interface MirroredRoom extends SharedRoom {
  readonly isDeleted: boolean
  readonly owner: string | null
  readonly incidentId: string | null
}
export async function listMirroredRooms(db: OrgDb, ids: readonly string[]): Promise<MirroredRoom[]> {
  const { rows } = await sql<SharedRow & { owner: string | null; incident_id: string | null }>`
    select ${SHARED},
      (select m.user_id from room_members m where m.room_id = r.id and m.role = 'owner' and not m.has_left) as owner,
      (select i.id from incidents i where i.breakout_room_id = r.id) as incident_id
    from rooms r where r.id = any(${ids}::uuid[])`.execute(db)
  return rows.map((row) => ({
    ...toSharedRoom(row),
    isDeleted: row.is_deleted,
    owner: row.owner,
    incidentId: row.incident_id,
  }))
}
/** Ids of the organisation's rooms, except deleted ones. */
export async function listAllRoomIds(db: OrgDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from rooms where not is_deleted`.execute(db)
  return rows.map(({ id }) => id)
}

/** People who were added or changed since a time; everybody for null. */
export async function listChangedPeople(db: OrgDb, since: string | null): Promise<NamedPerson[]> {
  const { rows } = await sql<{ person: NamedPerson }>`
    select ${PERSON} as person from users u
     where ${since}::timestamptz is null or u.update_timestamp >= ${since}::timestamptz`.execute(db)
  return rows.map(({ person }) => person)
}
