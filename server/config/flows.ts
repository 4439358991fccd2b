import { type Config, configOf } from '#contract/config/catalogue.ts'
import type { Database, OrgDb } from '#server/kit/database/db.ts'
import {
  findGlobalConfig,
  findOrganisation,
  findOwn,
  type FoundOrganisation,
} from '#server/organisations/store.ts'

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

/** The opened organisation's configuration. */
export async function findConfig(db: OrgDb): Promise<Config> {
  const own = await findOwn(db)
  return configOf(own?.config ?? {}, own?.globalConfig ?? {})
}

/** The reply-to address of the opened organisation's mails; null for the sender's own. */
export async function findReplyTo(db: OrgDb): Promise<string | null> {
  return (await findConfig(db)).mailReplyTo || null
}
