import {
  type Group,
  GROUP_NAME_TAKEN,
  GROUP_TARGETED,
  type GroupChanges,
  type NewGroup,
} from '#contract/groups/schema.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { changesBetween, findLastEditor, record } from '#server/kit/events/events.ts'
import { demand, notFound, stale, wrongField } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { listByEmail } from '#server/users/store.ts'

import {
  deleteGroup,
  findGroup,
  holdGroup,
  insertGroup,
  isNameTaken,
  isTargeted,
  lockNames,
  updateGroup,
  updateMembers,
} from './store.ts'

/** What a refusal calls a record of this kind. */
export const GROUP = 'This group'
const FIELDS = ['name', 'description', 'userIds'] as const
/** Addresses that a refusal names. */
const NAMED = 5

/** The people behind addresses. Whoever does not belong to the organisation is refused by name. */
async function membersOf(db: OrgDb, emails: readonly string[]): Promise<string[]> {
  const known = new Map((await listByEmail(db, emails)).map(({ email, id }) => [email, id]))
  const unknown = [...new Set(emails)].filter((email) => !known.has(email))
  if (unknown.length > 0) {
    const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : ''
    const sentence = `Not a user of your organization: ${unknown.slice(0, NAMED).join(', ')}${more}.`
    throw wrongField('userIds', sentence)
  }
  return [...known.values()]
}

async function demandGroup(group: Promise<Group | undefined>): Promise<Group> {
  const found = await group
  if (!found) throw notFound(GROUP)
  return found
}

/** One group, or the refusal that there is none. */
export const openGroup = (db: OrgDb, id: string): Promise<Group> => demandGroup(findGroup(db, id))

/** Makes a group. */
export async function createGroup(db: OrgDb, caller: Pick<Caller, 'name'>, given: NewGroup): Promise<Group> {
  const members = await membersOf(db, given.userIds)
  const words = { name: given.name, description: given.description || null, createdBy: caller.name }
  await lockNames(db)
  const id = await insertGroup(db, words, clock.timestamp())
  if (!id) throw wrongField('name', GROUP_NAME_TAKEN, 409)
  await updateMembers(db, id, members)
  const group = await openGroup(db, id)
  const changes = changesBetween<Partial<Group>>({}, group, FIELDS)
  record(db, { noun: 'groups', record: id, verb: 'created', changes })
  return group
}

/** Changes a group and its members. */
export async function changeGroup(db: OrgDb, id: string, given: GroupChanges): Promise<Group> {
  const before = await demandGroup(holdGroup(db, id))
  if (given.version !== undefined && given.version !== before.version)
    throw stale(await findLastEditor(db, 'groups', id))
  const members = await membersOf(db, given.userIds)
  await lockNames(db)
  if (await isNameTaken(db, given.name, id)) throw wrongField('name', GROUP_NAME_TAKEN, 409)
  await updateMembers(db, id, members)
  const { name, description } = given
  const words = { name, description: description || null }
  const changes = changesBetween<Partial<Group>>(before, { ...(await openGroup(db, id)), ...words }, FIELDS)
  if (Object.keys(changes).length === 0) return before
  await updateGroup(db, id, words, clock.timestamp())
  record(db, { noun: 'groups', record: id, verb: 'updated', changes })
  return openGroup(db, id)
}

/**
 * Deletes a group.
 * @throws Refusal 400 while an active incident targets it (decisions §5)
 */
export async function removeGroup(db: OrgDb, id: string): Promise<void> {
  const group = await demandGroup(holdGroup(db, id))
  demand(!(await isTargeted(db, id)), 400, GROUP_TARGETED)
  await deleteGroup(db, id)
  const changes = { name: { from: group.name, to: null } }
  record(db, { noun: 'groups', record: id, verb: 'deleted', changes })
}
