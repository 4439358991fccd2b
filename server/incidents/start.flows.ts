import { chatAccess } from '#contract/chat/access.ts'
import type { NewIncident, StartAct } from '#contract/incidents/schema.ts'
import { type Access, allows } from '#contract/kit/access.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { canStart, startActsOf } from '#contract/playbooks/rules.ts'
import { NO_START, type PlaybookStart } from '#contract/playbooks/schema.ts'
import { listColleaguesIn, listGroupNames } from '#server/groups/store.ts'
import { demand, FORBIDDEN } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { openPlaybook } from '#server/playbooks/flows.ts'
import { listColleagues } from '#server/users/people.store.ts'

import type { RequestedTargets } from './targets.flows.ts'

/** Acts of a playbook when an incident is declared with it. */
export interface Start {
  /** Acts that are carried out. */
  readonly acts: readonly StartAct[]
  /** Acts that the caller chose, or left to the playbook, and may not do. */
  readonly leftOut: readonly StartAct[]
  /** True where the playbook or the caller asks for a room. */
  readonly createsRoom: boolean
  /** The added people who are still active, and the added groups that still exist. */
  readonly emails: readonly string[]
  readonly groups: ReadonlyMap<string, string>
  /** Everybody among them, who is added to the room. */
  readonly people: readonly { readonly id: string; readonly email: string }[]
  /** Text for the room; empty for none. */
  readonly firstMessage: string
  readonly notificationTemplateId: string | null
}

/**
 * The acts at the start of an incident's playbook that the caller chose and may do.
 * @throws Refusal 403 without the permission to read playbooks, 404
 */
export async function startOf(
  db: OrgDb,
  by: Acting,
  { playbookId, startActs, createBreakoutRoom }: NewIncident,
): Promise<Start> {
  const may = (access: Access) => allows(access, by)
  if (playbookId) demand(may({ ...playbooksAccess.read, realm: 'organisation' }), 403, FORBIDDEN)
  const declared: PlaybookStart = playbookId ? (await openPlaybook(db, playbookId)).start : NO_START
  const wanted = startActsOf(declared).filter((act) => startActs?.includes(act) ?? true)
  const rights = {
    // A program creates rooms, which nobody owns, and sends no messages.
    canOpenRoom: by.kind === 'key' || may(chatAccess),
    canChat: may(chatAccess),
    canNotify: may(massNotificationsAccess),
  }
  const createsRoom = createBreakoutRoom || (wanted.includes('ROOM') && rights.canOpenRoom)
  const acts = wanted.filter((act) => canStart(act, rights) && (act !== 'MESSAGE' || createsRoom))
  const added = acts.includes('PEOPLE') ? declared : NO_START
  const groupIds = by.config.groupsEnabled ? added.groupIds : []
  const colleagues = await listColleagues(db, added.people)
  const people = [...colleagues, ...(await listColleaguesIn(db, groupIds))]
  return {
    acts,
    leftOut: wanted.filter((act) => !acts.includes(act)),
    createsRoom,
    emails: colleagues.map(({ email }) => email),
    groups: await listGroupNames(db, groupIds),
    people: [...new Map(people.map((person) => [person.id, person])).values()],
    firstMessage: acts.includes('MESSAGE') ? declared.firstMessage : '',
    notificationTemplateId: acts.includes('NOTIFICATION') ? declared.notificationTemplateId : null,
  }
}

/** The targets of a new incident. One for selected people targets those whom its playbook adds, too. */
export function targetsWith(
  { targetedUsers, targetedGroupIds, withEverybody }: NewIncident,
  start: Start,
): RequestedTargets {
  const isForSelected = !withEverybody && targetedUsers.length + targetedGroupIds.length > 0
  return {
    emails: [...new Set([...targetedUsers, ...(isForSelected ? start.emails : [])])],
    groupIds: [...new Set([...targetedGroupIds, ...(isForSelected ? start.groups.keys() : [])])],
  }
}
