import { sql } from 'kysely'

import {
  type Group,
  GROUP_TARGETED,
  type GroupChanges,
  type GroupSummary,
  type NewGroup,
} from '#contract/groups/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { listNamed } from '#server/users/people.store.ts'
import { listByEmail } from '#server/users/store.ts'

import { groups, isTargeted, listMembers, listMembersInOrder, nameKeyOf, updateMembers } from './store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** The members or the name of a group changed. */
    groupChanged: { readonly groupId: string }
  }
}

/** Addresses that a refusal lists. */
const NAMED = 5

/**
 * The ids of the people behind addresses, in their order.
 * @throws Refusal 400 that names addresses outside the organisation
 */
async function membersOf(db: OrgDb, emails: readonly string[]): Promise<string[]> {
  const known = new Map((await listByEmail(db, emails)).map(({ email, id }) => [email, id]))
  const unknown = [...new Set(emails)].filter((email) => !known.has(email))
  if (unknown.length > 0) {
    const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : ''
    const sentence = `Not a user of your organization: ${unknown.slice(0, NAMED).join(', ')}${more}.`
    throw wrongField('userIds', sentence)
  }
  return [...new Set(emails)].map((email) => known.get(email)!)
}

/** A page of the members of a group: in their order, or by display name. */
export async function findMembers(
  db: OrgDb,
  id: string,
  query: Parameters<typeof listMembers>[2],
): Promise<Page<NamedPerson>> {
  const { isOrdered } = await groups.summary(db, id)
  const { rows, total } = isOrdered
    ? await listMembersInOrder(db, id, query.range)
    : await listMembers(db, id, query)
  const people = await listNamed(
    db,
    rows.map(({ email }) => email),
  )
  const byEmail = new Map(people.map((person) => [person.email, person]))
  return { rows: rows.map(({ email }) => byEmail.get(email)!), total }
}

/** The members of a change. Programs that do not know of the order leave it as it is, with new members at its end. */
function keptOrder(before: Group, { userIds, isOrdered }: GroupChanges): readonly string[] {
  if (isOrdered !== undefined || !before.isOrdered) return userIds
  const places = new Map(before.userIds.map((email, place) => [email, place]))
  const placeOf = (email: string) => places.get(email) ?? places.size
  return userIds.toSorted((a, b) => placeOf(a) - placeOf(b))
}

export async function createGroup(db: OrgDb, caller: Pick<Caller, 'name'>, group: NewGroup): Promise<Group> {
  const members = await membersOf(db, group.userIds)
  const { isOrdered = false } = group
  const values = { ...group, isOrdered, nameKey: nameKeyOf(group.name), createdBy: caller.name }
  return groups.create(db, values, (id) => updateMembers(db, id, members, isOrdered))
}

export async function changeGroup(db: OrgDb, id: string, changes: GroupChanges): Promise<Group> {
  const before = await groups.hold(db, id, changes.version)
  const { isOrdered = before.isOrdered } = changes
  const members = await membersOf(db, keptOrder(before, changes))
  const values = { ...changes, isOrdered, nameKey: nameKeyOf(changes.name) }
  const group = await groups.update(db, before, values, () => updateMembers(db, id, members, isOrdered))
  await runHook(db, 'groupChanged', { groupId: id })
  return group
}

/**
 * Deletes a group.
 * @throws Refusal 400 while an active incident targets it (decisions §5)
 */
export async function removeGroup(db: OrgDb, by: Pick<Caller, 'id'>, id: string): Promise<void> {
  await groups.hold(db, id)
  demand(!(await isTargeted(db, id)), 400, GROUP_TARGETED)
  const where = sql`t.group_id = ${id}`
  await groups.removeUndoably(
    db,
    id,
    by,
    PARTS.map((table) => ({ table, where })),
  )
}

/** Tables of members, of access to folders and of incidents that targeted a group. */
const PARTS = ['group_members', 'file_groups', 'incident_target_groups'] as const

/**
 * Undoes the deletion of a group, as far as its members, folders and incidents still exist.
 * @throws Refusal 403, 404, 409
 */
export const restoreGroup = (db: OrgDb, by: Pick<Caller, 'id'>, id: string): Promise<GroupSummary> =>
  groups.restore(db, id, by, async (kept) => {
    await kept.restore('group_members')
    await kept.restore('file_groups')
    await kept.restore('incident_target_groups')
  })
