import { cut } from '#contract/kit/cut.ts'
import { sql } from 'kysely'

import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { isAskedByAll } from '#server/kit/database/people.ts'

import { isNameTaken } from './rooms.store.ts'

interface Targeted {
  readonly incidentId: string
  readonly roomId: string
  readonly id: string
  readonly email: string
}
/** Targets of an incident, people targeted through a group, or one person. */
export type Targets =
  | { readonly incidentId: string }
  | { readonly groupId: string }
  | { readonly userId: string }
/** People targeted by active incidents with a room, who were never in that room. */
export async function listMissing(db: OrgDb, of: Targets): Promise<Targeted[]> {
  const narrowed =
    'incidentId' in of
      ? sql`i.id = ${of.incidentId}`
      : 'userId' in of
        ? sql`i.is_active and u.id = ${of.userId}`
        : sql`i.is_active and i.id in (select incident_id from incident_target_groups where group_id = ${of.groupId})`
  const { rows } = await sql<Targeted>`
    select i.id as "incidentId", r.id as "roomId", u.id, u.email
      from incidents i
      join rooms r on r.id = i.breakout_room_id and not r.is_deleted
      join incident_targets t on t.incident_id = i.id
      join users u on u.id = t.user_id
     where ${narrowed}
       and not exists (select from room_members m where m.room_id = r.id and m.user_id = u.id)`.execute(db)
  return rows
}

/**
 * People who are asked to check in to the room's active incident, because it targets nobody in particular, and who were
 * never in the room: all up to a limit, or one.
 */
export async function listAskedOutside(
  db: OrgDb,
  roomId: string,
  which: { readonly limit: number } | { readonly userId: string },
): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    select u.id, u.email from users u
     where ${isAskedByAll('u')}
       and exists (select from incidents i where i.breakout_room_id = ${roomId} and i.is_active and not i.is_targeted)
       and not exists (select from room_members m where m.room_id = ${roomId} and m.user_id = u.id)
       and ${'userId' in which ? sql`u.id = ${which.userId}` : sql`true`}
     limit ${'limit' in which ? which.limit : 1}`.execute(db)
  return rows
}

/** The title of an incident as a room name, with a number where another room has it. */
export async function freeName(db: OrgDb, title: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? '' : ` (${n})`
    const name = `${cut(title, SHORT_TEXT_MAX - suffix.length)}${suffix}`
    if (!(await isNameTaken(db, name))) return name
  }
}
