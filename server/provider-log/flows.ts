import type { providerLogApi } from '#contract/provider-log/api.ts'
import { checkChain, exportEvents, findEvents, openEvent } from '#server/audit-log/flows.ts'
import { listNouns, listOtherActors } from '#server/audit-log/store.ts'
import { type OrgDb, PROVIDER_ID } from '#server/kit/database/db.ts'
import type { Handlers, ProviderContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

/** The provider's audit log: the handlers of an organisation's log, opened on the provider's stream. */
export function providerLog(services: Services): Handlers<typeof providerLogApi> {
  const inside = <T>({ db }: ProviderContext, work: (db: OrgDb) => Promise<T>) =>
    services.database.enterOrganisation(db, PROVIDER_ID, work)
  return {
    list: ({ query }, context) => inside(context, (db) => findEvents(db, query)),
    choices: (_, context) =>
      inside(context, async (db) => ({ nouns: await listNouns(db), actors: await listOtherActors(db) })),
    export: ({ query }, context) =>
      inside(context, (db) => {
        const organisation = { id: PROVIDER_ID, code: 'provider' }
        return exportEvents(services, db, { ...context.caller, organisation }, query.filter ?? {})
      }),
    check: ({ body }, context) => inside(context, (db) => checkChain(db, body)),
    get: ({ params }, context) => inside(context, (db) => openEvent(db, params.sequence)),
  }
}
