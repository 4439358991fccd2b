import {
  type BinnedPlaybook,
  type OpenedPlaybook,
  PLAYBOOK_BIN_DAYS,
  PLAYBOOKS_LIMIT_REACHED,
} from '#contract/playbooks/schema.ts'
import type { playbooksApi } from '#contract/playbooks/api.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { removePlaybookFiles } from '#server/attachments/flows.ts'
import { clock, DAY, HOUR } from '#server/kit/core/clock.ts'
import { demand, notFound, stale } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { findLastEditor, record } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { openedPlaybook, PLAYBOOK } from './access.flows.ts'
import {
  type BinnedRow,
  deletePlaybook,
  holdBinned,
  listBinned,
  listExpired,
  updateDeleted,
} from './bin.store.ts'
import { openWithPeople, SAVES } from './flows.ts'
import { countForAdding, findPlaybook, updateArchived } from './store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'playbook bin' }
const BIN = PLAYBOOK_BIN_DAYS * DAY

/** @throws Refusal 403 at the limit */
export async function demandRoomForPlaybook(db: OrgDb, { config }: Acting): Promise<void> {
  demand((await countForAdding(db)) < config.playbookMaxTemplates, 403, PLAYBOOKS_LIMIT_REACHED)
}

/**
 * Moves a playbook to the archive.
 * @throws Refusal 404
 */
export async function archivePlaybook(db: OrgDb, by: Acting, id: string): Promise<OpenedPlaybook> {
  const { archiveTimestamp } = await openedPlaybook(db, by, id, 'change')
  if (archiveTimestamp === null) {
    await updateArchived(db, id, { at: clock.timestamp(), by: by.name })
    record(db, { noun: 'playbooks', record: id, verb: 'archived' })
  }
  return openWithPeople(db, by, id)
}

/**
 * Takes a playbook back out of the archive.
 * @throws Refusal 404, 403 at the limit
 */
export async function unarchivePlaybook(db: OrgDb, by: Acting, id: string): Promise<OpenedPlaybook> {
  // The lock of the count comes first, as in every addition.
  const count = await countForAdding(db)
  const { archiveTimestamp } = await openedPlaybook(db, by, id, 'change')
  if (archiveTimestamp !== null) {
    demand(count < by.config.playbookMaxTemplates, 403, PLAYBOOKS_LIMIT_REACHED)
    await updateArchived(db, id, null)
    record(db, { noun: 'playbooks', record: id, verb: 'taken from archive' })
  }
  return openWithPeople(db, by, id)
}

/**
 * Moves a playbook with its files, versions and draft to the bin.
 * @param version deletes only this version
 * @throws Refusal 404, 409 `stale`
 */
export async function removePlaybook(db: OrgDb, by: Acting, id: string, version?: number): Promise<void> {
  await openedPlaybook(db, by, id, 'change')
  const { name, version: current } = (await findPlaybook(db, id))!
  if (version !== undefined && version !== current)
    throw stale(await findLastEditor(db, 'playbooks', id, SAVES))
  await updateDeleted(db, id, { at: clock.timestamp(), by: by.name })
  record(db, { noun: 'playbooks', record: id, verb: 'deleted', changes: { name: { from: name, to: null } } })
}

/** A page of the bin. */
export async function binOf(
  db: OrgDb,
  { sort, range }: Input<(typeof playbooksApi)['bin']>['query'],
): Promise<Page<BinnedPlaybook>> {
  const { rows, total } = await listBinned(db, sort?.[1], range)
  return {
    rows: rows.map((row) => ({
      ...row,
      expireTimestamp: new Date(Date.parse(row.deleteTimestamp) + BIN).toISOString(),
    })),
    total,
  }
}

/**
 * Takes a playbook back out of the bin. One that was archived is so again and needs no room.
 * @throws Refusal 404, 403 at the limit
 */
export async function recoverPlaybook(db: OrgDb, by: Acting, id: string): Promise<OpenedPlaybook> {
  const count = await countForAdding(db)
  const { archiveTimestamp, name } = await heldInBin(db, id)
  demand(archiveTimestamp !== null || count < by.config.playbookMaxTemplates, 403, PLAYBOOKS_LIMIT_REACHED)
  await updateDeleted(db, id, null)
  const changes = { name: { from: null, to: name } }
  record(db, { noun: 'playbooks', record: id, verb: 'taken from bin', changes })
  return openWithPeople(db, by, id)
}

async function heldInBin(db: OrgDb, id: string): Promise<BinnedRow> {
  const row = await holdBinned(db, id)
  if (!row) throw notFound(PLAYBOOK)
  return row
}

/** Deletes a locked playbook with its files, versions and draft. */
async function deleteForGood(services: Services, db: OrgDb, { id, name }: BinnedRow): Promise<void> {
  await removePlaybookFiles(services, db, { id, externals: [], at: clock.timestamp() })
  await deletePlaybook(db, id)
  const changes = { name: { from: name, to: null } }
  record(db, { noun: 'playbooks', record: id, verb: 'deleted for good', changes })
}

/** @throws Refusal 404 */
export const purgePlaybook = async (services: Services, db: OrgDb, id: string): Promise<void> =>
  deleteForGood(services, db, await heldInBin(db, id))

/** Registers the hourly job that empties the bins; call before the jobs begin. */
export function emptyBins(services: Services): void {
  services.jobs.every('playbook bins', HOUR, () => emptyAll(services))
}

/** Deletes the playbooks that were 30 days in a bin. Returns how many. */
export async function emptyAll(services: Services): Promise<number> {
  const before = new Date(clock.now() - BIN).toISOString()
  const expired = await services.database.withProvider(SYSTEM, (db) => listExpired(db, before))
  let count = 0
  for (const { organisationId, id } of expired) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction each, so that no lock lasts long
    await services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, async (db) => {
      const row = await holdBinned(db, id)
      // Somebody may have taken it out meanwhile.
      if (!row || row.deleteTimestamp >= before) return
      await deleteForGood(services, db, row)
      count += 1
    })
  }
  return count
}
