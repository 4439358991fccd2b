import type { configItemsApi, managementConfigItemsApi } from '#contract/config-items/api.ts'
import { configCan } from '#contract/config/rules.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import type { Services } from '#server/kit/services.ts'

import {
  changeGlobalItem,
  changeItem,
  changeItemOf,
  listGlobalItems,
  listItems,
  listItemsOf,
  revertGlobalItem,
} from './flows.ts'

export const configItemsRoutes: Handlers<typeof configItemsApi> = {
  list: (_, { db }) => listItems(db, configCan.changeAsAdministrator),
  update: ({ body }, { db }) => changeItem(db, body, configCan.changeAsAdministrator),
}

export const managementConfigItemsRoutes = (
  services: Services,
): Handlers<typeof managementConfigItemsApi> => ({
  listGlobal: (_, { db }) => listGlobalItems(services, db),
  updateGlobal: ({ body }, { db }) => changeGlobalItem(services, db, body),
  revertGlobal: ({ params }, { db }) => revertGlobalItem(services, db, params.databaseKey),
  listEnterprise: ({ params }, { db }) => listItemsOf(services, db, params.id),
  updateEnterprise: ({ params, body }, { db }) => changeItemOf(services, db, params.id, body),
})
