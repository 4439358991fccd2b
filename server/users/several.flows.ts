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

/**
 * Does something for each of several users. A refusal concerns one of them only: what is done for a user has to refuse
 * before it writes anything.
 */
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

/** Archives several users, whose sessions end. The caller, the last administrator and archived users are refused. */
export const deactivateSeveral = (
  db: OrgDb,
  caller: Administrator,
  ids: readonly string[],
): Promise<SeveralOutcomes> =>
  forEach(db, ids, async ({ uuid, active }) => {
    demand(active, 409, 'This user is archived already.')
    await deactivateUser(db, caller, uuid)
  })

/** Mails several users links to set their first passwords. Who is archived, or has a password, is refused. */
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
 * Gives several users a role. Who is archived, external or has it already is refused, and so are one's own rights.
 * @throws Refusal 400 where the role is not offered to anybody
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
