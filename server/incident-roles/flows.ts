import {
  type Command,
  type HeldRole,
  type RoleHandover,
  type RoleHolding,
  type RoleRelease,
} from '#contract/incident-roles/schema.ts'
import { incidentCan, roleKey } from '#contract/incidents/rules.ts'
import { fullName } from '#contract/kit/names.ts'
import { opened, RESOLVED, stateOf } from '#server/incidents/access.flows.ts'
import { type EventContext, eventContextOf, peopleNamed } from '#server/incidents/activities.flows.ts'
import { updateActivity } from '#server/incidents/activities.store.ts'
import type { NamedHolder } from '#server/incident-playbooks/roles.flows.ts'
import { endRole, upsertRoles } from '#server/incident-playbooks/roles.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { demand, FORBIDDEN, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { notify } from '#server/notifications/flows.ts'

import { listCommandRoles } from './catalogue.store.ts'
import { nextUpdateOf } from './rhythm.flows.ts'
import { findEmails, listHeldRoles, listHoldings, listTitledTasks } from './store.ts'

const NO_COLLEAGUE = 'This is not an active colleague. Please choose somebody else.'
const RETIRED = 'This role is retired. Please choose another one.'
const THIS_ROLE = 'This role'

/** @throws Refusal 403 for external people, who follow incidents without the people who lead them */
export const demandColleague = (by: Acting): void => demand(by.type !== 'EXTERNAL', 403, FORBIDDEN)

/**
 * Roles with their holders, and the next update.
 * @throws Refusal 403, 404
 */
export async function commandOf(db: OrgDb, by: Acting, incidentId: string): Promise<Command> {
  demandColleague(by)
  const incident = await opened(db, by, incidentId)
  const roles = await listHeldRoles(db, incidentId)
  return { isActive: incident.isActive, roles, nextUpdate: await nextUpdateOf(db, by, incident, roles) }
}

/** A role of an active incident, both locked. */
async function heldRole(db: OrgDb, by: Acting, { id, roleId }: { id: string; roleId: string }) {
  demandColleague(by)
  const incident = await opened(db, by, id, 'change')
  const [role] = await listHeldRoles(db, id, roleId)
  if (!role) throw notFound(THIS_ROLE)
  demand(incidentCan.edit(stateOf(incident)), 409, RESOLVED)
  return { incident, role }
}

/** @throws Refusal 409 that names the holder, where it is not the expected one */
function demandHolder({ name, holder }: HeldRole, heldBy: string | null): void {
  if ((holder?.email ?? null) === heldBy) return
  throw new Refusal(
    409,
    holder
      ? `${fullName(holder) || holder.email} holds ${name} now. Please look who leads before you change it.`
      : `Nobody holds ${name} now. Please look who leads before you change it.`,
  )
}

function recordHolder(
  db: OrgDb,
  incident: EventContext,
  verb: 'took' | 'handed over' | 'released',
  role: Pick<HeldRole, 'id' | 'name'>,
  told: { readonly from: string | null; readonly to: string | null; readonly statement?: string | null },
): void {
  const changes: Changes = {
    role: { from: null, to: role.name },
    holder: { from: told.from, to: told.to },
    ...(told.statement && { statement: { from: null, to: told.statement } }),
  }
  record(db, {
    noun: 'incident-roles',
    record: role.id,
    parent: incident.id,
    verb,
    changes,
    externals: [],
    at: incident.at,
  })
}

/** Records the roles that the answers to a playbook gave. Titles that are no roles have no events. */
export async function recordNamed(
  db: OrgDb,
  incident: EventContext,
  changed: readonly NamedHolder[],
): Promise<void> {
  const roles = new Map((await listCommandRoles(db)).map((role) => [role.nameKey, role]))
  const emails = await findEmails(
    db,
    changed.flatMap(({ userId, formerUserId }) => [userId, formerUserId ?? []].flat()),
  )
  for (const { roleKey: key, userId, formerUserId } of changed) {
    const role = roles.get(key)
    if (role === undefined) continue
    recordHolder(db, incident, formerUserId === null ? 'took' : 'handed over', role, {
      from: emails.get(formerUserId ?? '') ?? null,
      to: emails.get(userId) ?? null,
    })
  }
}

/** Gives the open tasks of a title to its holder: those that nobody has, and those of the former one. Returns how many. */
async function moveTasks(
  db: OrgDb,
  incident: EventContext,
  role: HeldRole,
  to: { readonly id: string; readonly email: string },
): Promise<number> {
  const key = roleKey(role.name)
  const titled = await listTitledTasks(db, incident.id, role.holder?.uuid ?? null)
  const tasks = titled.filter(
    ({ idealTitle, assignedTo }) => roleKey(idealTitle) === key && assignedTo !== to.id,
  )
  for (const { id, email } of tasks) {
    await updateActivity(db, id, { assignedTo: to.id, updateTimestamp: incident.at })
    record(db, {
      noun: 'activities',
      record: id,
      parent: incident.id,
      verb: 'changed',
      changes: { assignedTo: { from: email, to: to.email } },
      externals: incident.externals,
      at: incident.at,
    })
  }
  return tasks.length
}

/**
 * Gives a role to a colleague, in the place of the holder whom the caller knows. Open tasks with its title follow, and
 * the new holder is told once. Giving it to its holder changes nothing.
 * @throws Refusal 403, 404, 400 for somebody who is no active colleague, 409 where somebody else holds it by now
 */
export async function handOver(
  db: OrgDb,
  by: Acting,
  params: { readonly id: string; readonly roleId: string },
  { holder, heldBy, statement }: RoleHandover,
): Promise<HeldRole> {
  const { incident, role } = await heldRole(db, by, params)
  const people = await peopleNamed(
    db,
    [{ field: 'holder', email: holder }],
    ({ active, banned, type, dashboard_user }) => active && !banned && type !== 'EXTERNAL' && !dashboard_user,
    NO_COLLEAGUE,
  )
  if (role.holder?.email === holder) return role
  demandHolder(role, heldBy)
  demand(!role.isRetired, 409, RETIRED)
  const context = eventContextOf(incident, clock.timestamp())
  const to = { id: people.get(holder)!.id, email: holder }
  const named = { roleKey: roleKey(role.name), title: role.name, userId: to.id }
  await upsertRoles(db, incident.id, [named], { by, at: context.at, statement })
  recordHolder(db, context, role.holder ? 'handed over' : 'took', role, {
    from: role.holder?.email ?? null,
    to: holder,
    statement,
  })
  const moved = await moveTasks(db, context, role, to)
  await notify(db, by, [to.id], {
    title: `You hold the role ${role.name}`,
    details: `${incident.title}${moved === 0 ? '' : moved === 1 ? ' – with 1 open task' : ` – with ${moved} open tasks`}`,
    incidentId: incident.id,
    activityId: null,
    isTabletop: incident.isTabletop,
    externals: [],
  })
  return (await listHeldRoles(db, incident.id, role.id))[0]!
}

/**
 * Ends the time of a holder. Their tasks stay with them.
 * @throws Refusal 403, 404, 409 where somebody else holds it by now
 */
export async function release(
  db: OrgDb,
  by: Acting,
  params: { readonly id: string; readonly roleId: string },
  { heldBy }: RoleRelease,
): Promise<HeldRole> {
  const { incident, role } = await heldRole(db, by, params)
  if (role.holder === null) return role
  demandHolder(role, heldBy)
  const context = eventContextOf(incident, clock.timestamp())
  await endRole(db, incident.id, roleKey(role.name), context.at)
  recordHolder(db, context, 'released', role, { from: heldBy, to: null })
  return (await listHeldRoles(db, incident.id, role.id))[0]!
}

/**
 * A page of those who held the roles of an incident.
 * @throws Refusal 403, 404
 */
export async function holdingsOf(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  {
    roleId,
    offset,
    size,
  }: { readonly roleId?: string | undefined; readonly offset: number; readonly size: number },
): Promise<{ data: RoleHolding[]; total: number }> {
  demandColleague(by)
  await opened(db, by, incidentId)
  const [role] = roleId === undefined ? [] : await listCommandRoles(db, roleId)
  if (roleId !== undefined && !role) throw notFound(THIS_ROLE)
  return listHoldings(db, incidentId, { key: role?.nameKey ?? null, offset, size })
}
