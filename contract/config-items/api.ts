import * as z from 'zod/mini'

import { staffAs } from '#contract/kit/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { ById } from '#contract/kit/text.ts'

import { configItemsAccess as access } from './access.ts'
import { ConfigChange, ConfigItem, DatabaseKey } from './schema.ts'

const path = '/config/enterpriseConfigDetails'

/** Configuration items that an organisation's administrators change (administration §6). */
export const configItemsApi = defineApi({
  list: {
    method: 'GET',
    path,
    access,
    summary: "The configuration items that the organisation's administrators can change.",
    reply: z.array(ConfigItem),
  },
  update: {
    method: 'PUT',
    path,
    access,
    summary: 'Changes an item for the own organisation, at once. An empty value restores the inherited one.',
    body: ConfigChange,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: ConfigItem,
  },
})

const globalPath = '/config/globalOverriddenConfigDetails'
const enterprisePath = '/config/enterpriseConfigDetails/:id'

/** Configuration of all organisations and of each one, for the provider's staff (administration §7.6). */
export const managementConfigItemsApi = defineApi({
  listGlobal: {
    method: 'GET',
    path: globalPath,
    access: staffAs.look,
    summary: 'All configuration items with the values for organisations without one of their own.',
    reply: z.array(ConfigItem),
  },
  updateGlobal: {
    method: 'PUT',
    path: globalPath,
    access: staffAs.administer,
    repeatable: true,
    summary: 'Sets the value of an item for all organisations without one of their own, at once.',
    body: ConfigChange,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: ConfigItem,
  },
  revertGlobal: {
    method: 'DELETE',
    path: `${globalPath}/:databaseKey`,
    access: staffAs.administer,
    repeatable: true,
    summary: 'Restores the default of an item for all organisations without a value of their own.',
    params: z.object({ databaseKey: DatabaseKey }),
    reply: ConfigItem,
  },
  listEnterprise: {
    method: 'GET',
    path: enterprisePath,
    access: staffAs.look,
    summary: 'All configuration items with the values of one organisation.',
    params: ById,
    reply: z.array(ConfigItem),
  },
  updateEnterprise: {
    method: 'PUT',
    path: enterprisePath,
    access: staffAs.administer,
    repeatable: true,
    summary: 'Changes an item for one organisation, at once. An empty value restores the inherited one.',
    params: ById,
    body: ConfigChange,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: ConfigItem,
  },
})
