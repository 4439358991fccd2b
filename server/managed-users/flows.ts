import type { managedUsersApi } from '#contract/managed-users/api.ts'
import type { ManagedUser } from '#contract/managed-users/schema.ts'
import type { User } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { Rows } from '#server/kit/http/rows.ts'
import type { Handlers, ProviderContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { lookInto, type StaffInOrganisation } from '#server/organisation-access/flows.ts'
import {
  activateAgain,
  banUser,
  changeUser,
  createUser,
  deactivateUser,
  endUserSessions,
  openUser,
  reactivateUser,
  resetAuthenticator,
  sendPasswordReset,
  sendUsers,
  unbanUser,
} from '#server/users/flows.ts'
import { importUsers } from '#server/users/import.flows.ts'
import { listByEmail } from '#server/users/store.ts'

const shown = (user: User): ManagedUser => ({ ...user, id: user.uuid })

type Catalogue = 'roles' | 'userRoles' | 'userPermissions'

/** User administration of an organisation, by staff who gave a reason. */
export function staffActs(services: Services): Omit<Handlers<typeof managedUsersApi>, Catalogue> {
  const inside = <T>(
    { db, caller }: ProviderContext,
    { id }: { readonly id: string },
    work: (db: OrgDb, staff: StaffInOrganisation) => Promise<T>,
  ) => lookInto(services, db, caller, id, work)
  return {
    list: ({ params, query }, context) =>
      inside(context, params, async (db) => {
        const later = <T>(work: (db: OrgDb) => Promise<T>) =>
          context.later((own) => inside({ ...context, db: own }, params, work))
        const { rows, total } = await sendUsers({ db, later }, query)
        return rows instanceof Rows ? { rows: rows.map(shown), total } : { rows: rows.map(shown), total }
      }),
    get: ({ params }, context) =>
      inside(context, params, async (db) => shown(await openUser(db, params.uuid))),
    create: ({ params, body }, context) =>
      inside(context, params, async (db, staff) => shown(await createUser(services, db, staff, body))),
    import: ({ params, body }, context) =>
      inside(context, params, (db, staff) => importUsers(services, db, staff, body)),
    existing: ({ params, body }, context) =>
      inside(context, params, async (db) => ({
        emails: (await listByEmail(db, body.emails)).map(({ email }) => email),
      })),
    update: ({ params, body }, context) =>
      inside(context, params, async (db, staff) =>
        shown(await changeUser(services, db, staff, params.uuid, body)),
      ),
    deactivate: ({ params }, context) =>
      inside(context, params, (db, staff) => deactivateUser(db, staff, params.uuid)),
    reactivate: ({ params }, context) =>
      inside(context, params, async (db) => shown(await reactivateUser(db, params.uuid))),
    ban: ({ params }, context) =>
      inside(context, params, async (db) => shown(await banUser(db, params.uuid))),
    unban: ({ params }, context) =>
      inside(context, params, async (db) => shown(await unbanUser(db, params.uuid))),
    endSessions: ({ params }, context) =>
      inside(context, params, (db, staff) => endUserSessions(db, staff, params.uuid)),
    sendPasswordReset: ({ params }, context) =>
      inside(context, params, (db, staff) => sendPasswordReset(services, db, staff, params.uuid)),
    sendActivation: ({ params }, context) =>
      inside(context, params, (db, staff) => activateAgain(services, db, staff, params.uuid)),
    resetAuthenticator: ({ params }, context) =>
      inside(context, params, (db, staff) => resetAuthenticator(services, db, staff, params.uuid)),
  }
}
