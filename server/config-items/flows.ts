import { isSupportedCountry } from 'libphonenumber-js/max'

import {
  CONFIG,
  CONFIG_KEYS,
  type ConfigItemDeclaration,
  type ConfigKey,
  configOf,
  type ConfigValue,
} from '#contract/config/catalogue.ts'
import type { ConfigChange, ConfigItem } from '#contract/config-items/schema.ts'
import { configCan, readConfigValue, VALUE_REQUIRED } from '#contract/config/rules.ts'
import { type OrgDb, PROVIDER_ID, type ProviderDb, unitOf } from '#server/kit/database/db.ts'
import { clock } from '#server/kit/core/clock.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'
import { openOrganisation } from '#server/organisation-access/flows.ts'

import {
  countDiffering,
  findGlobal,
  findLastChanges,
  findOverrides,
  holdGlobal,
  holdOverrides,
  type Overrides,
  updateGlobal,
  updateOverride,
} from './store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** An organisation's own value of an item changed. */
    configItemChanged: { readonly key: ConfigKey }
  }
}

const NOT_YOURS = 'This configuration item cannot be changed here.'

/** Placeholder in the audit log for a secret that is set. */
const HIDDEN = '•••'
const isSecret = (key: ConfigKey): boolean => (CONFIG[key] as ConfigItemDeclaration).isSecret === true

/** An item as both consoles show it, without secrets. */
function itemOf(
  key: ConfigKey,
  { organisation, global }: Overrides,
  { lastChange = null, differingCount = null }: Partial<Pick<ConfigItem, 'lastChange' | 'differingCount'>>,
): ConfigItem {
  const { description, groupTag, type, visibility, modifyAccess, default: defaultValue } = CONFIG[key]
  const list = (value: ConfigValue) =>
    (isSecret(key) ? '' : typeof value === 'object' ? [...value] : value) as ConfigItem['currentValue']
  const globalValue = global[key] ?? null
  const currentValue = configOf(organisation, global)[key]
  return {
    databaseKey: key,
    description,
    groupTag,
    type,
    visibility,
    modifyAccess,
    isSecret: isSecret(key),
    hasValue: currentValue !== '',
    currentValue: list(currentValue),
    defaultValue: list(defaultValue),
    globalOverriddenValue: globalValue === null ? null : list(globalValue),
    isGlobalOverridden: globalValue !== null,
    isEnterpriseCustom: (organisation[key] ?? null) !== null,
    lastChange,
    differingCount,
  }
}

/** The items with the values of the opened organisation. */
export async function listItems(
  db: OrgDb,
  isListed: (item: ConfigItemDeclaration) => boolean = () => true,
): Promise<ConfigItem[]> {
  const overrides = await findOverrides(db)
  const changes = await findLastChanges(db)
  return CONFIG_KEYS.filter((key) => isListed(CONFIG[key])).map((key) =>
    itemOf(key, overrides, { lastChange: changes.get(key) ?? null }),
  )
}

/** The items with the global values, which hold for organisations without a value of their own. */
export async function listGlobalItems(
  { database }: Pick<Services, 'database'>,
  db: ProviderDb,
): Promise<ConfigItem[]> {
  const global = await findGlobal(db)
  const differing = await countDiffering(db)
  const changes = await database.enterOrganisation(db, PROVIDER_ID, (log) => findLastChanges(log))
  return CONFIG_KEYS.map((key) =>
    itemOf(
      key,
      { organisation: {}, global },
      { lastChange: changes.get(key) ?? null, differingCount: differing.get(key) ?? 0 },
    ),
  )
}

/**
 * The value of a change.
 * @throws Refusal 400 at `valueJson` for another type or a value out of range
 */
function valueOf({ databaseKey, valueJson }: ConfigChange): ConfigValue | null {
  const read = readConfigValue(databaseKey, valueJson)
  if ('problem' in read) throw wrongField('valueJson', read.problem)
  const { value } = read
  if (databaseKey === 'twilioAllowedCountryCodes' || databaseKey === 'defaultPhoneCountry') {
    const codes = Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? [value] : []
    const unknown = codes.find((code) => !isSupportedCountry(code))
    if (unknown !== undefined) throw wrongField('valueJson', `There is no country with the code ${unknown}.`)
  }
  return value
}

function recordChange(
  db: OrgDb | ProviderDb,
  key: ConfigKey,
  before: ConfigValue | null,
  after: ConfigValue | null,
): void {
  const shown = (value: ConfigValue | null) => (isSecret(key) && value ? HIDDEN : value)
  const changes = { [key]: { from: shown(before), to: shown(after) } }
  record(db, { noun: 'config-items', record: key, verb: 'changed', changes })
}

/** The change that this transaction makes. */
const changeNow = (db: OrgDb | ProviderDb): ConfigItem['lastChange'] => ({
  by: unitOf(db).actor.name,
  timestamp: clock.timestamp(),
})

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/**
 * Changes an item for the opened organisation. An empty value removes the organisation's own.
 * @param can tests whether the caller may change the item
 * @throws Refusal 400 for an invalid value, 403 where `can` returns false
 */
export async function changeItem(
  db: OrgDb,
  change: ConfigChange,
  can: (item: ConfigItemDeclaration) => boolean,
): Promise<ConfigItem> {
  const { databaseKey: key } = change
  demand(can(CONFIG[key]), 403, NOT_YOURS)
  const given = valueOf(change)
  const value = given === '' ? null : given
  const before = await holdOverrides(db)
  const from = before.organisation[key] ?? null
  const isChange = !isSame(from, value)
  if (isChange) {
    await updateOverride(db, key, value)
    recordChange(db, key, from, value)
    await runHook(db, 'configItemChanged', { key })
  }
  const lastChange = isChange ? changeNow(db) : ((await findLastChanges(db)).get(key) ?? null)
  return itemOf(key, await findOverrides(db), { lastChange })
}

/** Replaces the value for all organisations; null restores the default. Every process and browser is notified. */
async function replaceGlobal(
  services: Pick<Services, 'database'>,
  db: ProviderDb,
  key: ConfigKey,
  value: ConfigValue | null,
): Promise<ConfigItem> {
  const from = (await holdGlobal(db))[key] ?? null
  const isChange = !isSame(from, value)
  if (isChange) {
    await updateGlobal(db, key, value)
    recordChange(db, key, from, value)
  }
  const item = (await listGlobalItems(services, db)).find(({ databaseKey }) => databaseKey === key)!
  return isChange ? { ...item, lastChange: changeNow(db) } : item
}

/**
 * Sets the global value of an item.
 * @throws Refusal 400 for an invalid value, null among them, 403 for an item that only a release changes
 */
export async function changeGlobalItem(
  services: Pick<Services, 'database'>,
  db: ProviderDb,
  change: ConfigChange,
): Promise<ConfigItem> {
  const { databaseKey: key } = change
  demand(configCan.changeAsStaff(CONFIG[key]), 403, NOT_YOURS)
  const value = valueOf(change)
  if (value === null || (value === '' && CONFIG[key].type !== 'STRING'))
    throw wrongField('valueJson', VALUE_REQUIRED)
  return replaceGlobal(services, db, key, value)
}

/**
 * Restores the default of the global value of an item.
 * @throws Refusal 403 for an item that only a release changes
 */
export async function revertGlobalItem(
  services: Pick<Services, 'database'>,
  db: ProviderDb,
  key: ConfigKey,
): Promise<ConfigItem> {
  demand(configCan.changeAsStaff(CONFIG[key]), 403, NOT_YOURS)
  return replaceGlobal(services, db, key, null)
}

/**
 * Runs `work` in one organisation as the provider's staff.
 * @throws Refusal 404
 */
async function inOrganisation<T>(
  { database }: Pick<Services, 'database'>,
  db: ProviderDb,
  id: string,
  work: (inside: OrgDb) => Promise<T>,
): Promise<T> {
  await openOrganisation(db, id)
  return database.enterOrganisation(db, id, work)
}

/** All items with the values of one organisation. */
export const listItemsOf = (services: Pick<Services, 'database'>, db: ProviderDb, id: string) =>
  inOrganisation(services, db, id, (inside) => listItems(inside))

export const changeItemOf = (
  services: Pick<Services, 'database'>,
  db: ProviderDb,
  id: string,
  change: ConfigChange,
) => inOrganisation(services, db, id, (inside) => changeItem(inside, change, configCan.changeAsStaff))
