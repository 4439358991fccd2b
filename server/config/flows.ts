import { type Config, configOf } from '#contract/config/catalogue.ts'
import type { Database } from '#server/kit/database/db.ts'
import { findGlobalConfig, findOrganisation, type FoundOrganisation } from '#server/organisations/store.ts'

/** An organisation by its code, with its configuration; null when there is none. */
export async function organisationWithConfig(
  database: Database,
  code: string,
): Promise<{ organisation: FoundOrganisation; config: Config } | null> {
  const [organisation, global] = await Promise.all([
    findOrganisation(database, code),
    findGlobalConfig(database),
  ])
  return organisation ? { organisation, config: configOf(organisation.config, global) } : null
}
