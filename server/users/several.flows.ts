import { OFFERED_ROLES, userCan } from '#contract/users/rules.ts'
import { pick } from '#contract/kit/pick.ts'
import type { SeveralOutcomes } from '#contract/kit/several.ts'
import { type User, USER_FIELDS, type UserRole } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'

import { type Administrator, changeUser, deactivateUser, demandLink, sendActivations, USER } from './flows.ts'
import { holdUsers } from './store.ts'

const ARCHIVED = 'This user is archived.'

/** Runs `work` for each user. A refusal concerns that user only, so `work` has to refuse before it writes anything. */
async function forEach(
  db: OrgDb,
  ids: readonly string[],
  work: (user: User) => Promise<void>,
): Promise<SeveralOutcomes> {
  const each = [...new Set(ids)]
  const held = new Map((await holdUsers(db, each)).map((user) => [user.uuid, user]))
  const outcomes: SeveralOutcomes['outcomes'] = []
  for (const id of each) {
    try {
      const user = held.get(id)
      if (!user) throw notFound(USER)
      await work(user)
      outcomes.push({ id, refusal: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.push({ id, refusal: error.message })
    }
  }
  return { outcomes }
}

/** Archives several users and ends their sessions. Refuses the caller, the last administrator and archived users. */
export const deactivateSeveral = (
  db: OrgDb,
  caller: Administrator,
  ids: readonly string[],
): Promise<SeveralOutcomes> =>
  forEach(db, ids, async ({ uuid, active }) => {
    demand(active, 409, 'This user is archived already.')
    await deactivateUser(db, caller, uuid)
  })

/** Mails several users links to set their first passwords. Refuses archived users and users with a password. */
export async function inviteSeveral(
  services: Services,
  db: OrgDb,
  caller: Administrator,
  ids: readonly string[],
): Promise<SeveralOutcomes> {
  const invited: User[] = []
  const answer = await forEach(db, ids, async (user) => {
    demand(user.active, 409, ARCHIVED)
    demand(userCan.invite(user), 409, 'This user has set a password already.')
    await demandLink(services, db, user, caller, 'activation')
    invited.push(user)
  })
  await sendActivations(services, db, caller, invited)
  return answer
}

/**
 * Gives several users a role. Refuses archived and external users, those who have it already, and the caller.
 * @throws Refusal 400 where the role cannot be assigned
 */
export async function changeRoleOfSeveral(
  services: Services,
  db: OrgDb,
  caller: Administrator,
  { ids, role }: { ids: readonly string[]; role: UserRole },
): Promise<SeveralOutcomes> {
  if (!OFFERED_ROLES.some((offered) => offered === role))
    throw wrongField('role', 'This role cannot be chosen here.')
  return forEach(db, ids, async (user) => {
    demand(user.active, 409, ARCHIVED)
    demand(userCan.changeRole(user), 409, 'What an external person may do does not depend on a role.')
    demand(user.role !== role, 409, 'This user has the role already.')
    await changeUser(services, db, caller, user.uuid, {
      ...pick(user, USER_FIELDS),
      role,
      sendWelcomeSetPasswordEmail: false,
    })
  })
}
