import { GROUPS_OFF, NO_SUCH_GROUP } from '#contract/groups/schema.ts'
import { isTargetable } from '#contract/users/rules.ts'
import { peopleNamed } from './activities.flows.ts'
import { externalsOf } from './access.flows.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, Refusal } from '#server/kit/core/refusal.ts'
import { notify, withdraw } from '#server/notifications/flows.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import {
  holdGroups,
  listTargets,
  type NamedGroup,
  type TargetedPerson,
  updateTargetGroups,
  updateTargetUsers,
} from './targets.store.ts'

const NOT_TARGETABLE = 'This is nobody who can be targeted.'

/** Targets of a request; existing ones are not validated again. */
export interface RequestedTargets {
  readonly emails: readonly string[]
  readonly groupIds: readonly string[]
}
/** The people and groups that an incident targets. */
export interface Aim {
  readonly users: readonly { readonly id: string; readonly email: string }[]
  readonly groups: readonly NamedGroup[]
}
export const NO_AIM: Aim = { users: [], groups: [] }

const hasTargets = ({ users, groups }: Aim): boolean => users.length + groups.length > 0
/** True for an incident that is for its targets alone. */
export const isNarrowed = (aim: Aim, withEverybody: boolean): boolean => hasTargets(aim) && !withEverybody

/** Names of an incident's targets for the stream and the report. */
export const wordsOf = (aim: Aim, withEverybody: boolean): string[] =>
  withEverybody && hasTargets(aim) ? ['everybody', ...namesOf(aim)] : namesOf(aim)
const namesOf = ({ users, groups }: Aim): string[] => [
  ...users.map(({ email }) => email).sort(),
  ...groups.map(({ name }) => `group ${name}`).sort(),
]

async function peopleOf(db: OrgDb, emails: readonly string[], { users }: Aim): Promise<Aim['users']> {
  const known = new Map(users.map((user) => [user.email, user]))
  const named = emails.map((email, n) => ({ field: `targetedUsers.${n}`, email }))
  const found = await peopleNamed(
    db,
    named.filter(({ email }) => !known.has(email)),
    isTargetable,
    NOT_TARGETABLE,
  )
  return [...new Set(emails)].map((email) => known.get(email) ?? found.get(email)!)
}

async function groupsOf(
  db: OrgDb,
  by: Acting,
  ids: readonly string[],
  { groups }: Aim,
): Promise<NamedGroup[]> {
  const known = new Map(groups.map((group) => [group.id, group]))
  const added = ids.filter((id) => !known.has(id))
  if (added.length === 0) return [...new Set(ids)].map((id) => known.get(id)!)
  demand(by.config.groupsEnabled, 403, GROUPS_OFF)
  const found = new Map((await holdGroups(db, added)).map((group) => [group.id, group]))
  const missing = added.filter((id) => !found.has(id))
  if (missing.length > 0) {
    const fields = missing.map((id) => [`targetedGroupIds.${ids.indexOf(id)}`, NO_SUCH_GROUP])
    throw new Refusal(400, NO_SUCH_GROUP, { fields: Object.fromEntries(fields) })
  }
  return [...new Set(ids)].map((id) => known.get(id) ?? found.get(id)!)
}

/**
 * Resolves the requested targets.
 * @throws Refusal 400 for each unknown name, 403 where the organisation has no groups
 */
export const aimAt = async (db: OrgDb, by: Acting, wanted: RequestedTargets, now = NO_AIM): Promise<Aim> => ({
  users: await peopleOf(db, wanted.emails, now),
  groups: await groupsOf(db, by, wanted.groupIds, now),
})

const idsBeyond = (some: readonly { id: string }[], others: readonly { id: string }[]) => {
  const known = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !known.has(id)).map(({ id }) => id)
}

/** The outcome of a change of targets. */
export interface Retargeted {
  /** External people among the previous or new targets. */
  readonly externals: string[]
  /** People who were not targeted before. */
  readonly newcomers: string[]
}

/** Changes an incident's targets and withdraws the notifications of people who are no longer targeted. */
export async function retarget(
  db: OrgDb,
  id: string,
  { from, to, targeted }: { from: Aim; to: Aim; targeted: readonly TargetedPerson[] },
): Promise<Retargeted> {
  await updateTargetUsers(db, id, {
    added: idsBeyond(to.users, from.users),
    removed: idsBeyond(from.users, to.users),
  })
  await updateTargetGroups(db, id, {
    added: idsBeyond(to.groups, from.groups),
    removed: idsBeyond(from.groups, to.groups),
  })
  const now = hasTargets(to) ? await listTargets(db, id) : []
  await withdraw(db, id, idsBeyond(targeted, now))
  const externals = [...new Set(externalsOf([...targeted, ...now]))]
  return { externals, newcomers: idsBeyond(now, targeted) }
}

/** Notifies newly targeted people. Without targets, everybody sees the incident on every page. */
export async function notifyNewcomers(
  db: OrgDb,
  by: Acting,
  incident: { id: string; title: string; isTabletop: boolean },
  { externals, newcomers }: Retargeted,
): Promise<void> {
  await notify(db, by, newcomers, {
    title: incident.isTabletop ? 'You were added to an exercise' : 'You were added to an incident',
    details: incident.title,
    incidentId: incident.id,
    activityId: null,
    isTabletop: incident.isTabletop,
    externals,
  })
}
