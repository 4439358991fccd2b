import { createGroup } from '#server/groups/flows.ts'
import { listOptions, nameKeyOf } from '#server/groups/store.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { Refusal } from '#server/kit/http/refusal.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import type { Services } from '#server/kit/services.ts'
import { importUsers } from '#server/users/import.flows.ts'

import {
  findWelcomed,
  holdPackage,
  type PackageContents,
  type PackageRow,
  replaceWishes,
  updatePackage,
  type WelcomedOrganisation,
} from './store.ts'

/** The queue of submitted packages. */
export const POPULATION = 'welcome-packages'
/** Attempts at one submitted package before staff have to look at it. */
const TRIES = 3
const SYSTEM = { kind: 'system', id: null, name: 'welcome package' } as const

/** Declares, before the jobs begin, the handler of submitted packages. */
export function populateSubmitted(services: Services): void {
  services.jobs.handle(POPULATION, (job) => populate(services, job), { parallel: 2 })
}

/**
 * Makes the users, groups, rooms and folders of a package, all or none. A refusal ends it at once: another attempt would
 * be refused too. Anything else is tried again.
 */
async function populate(services: Services, { organisationId, last }: Job): Promise<void> {
  const inside = <T>(work: (db: OrgDb) => Promise<T>): Promise<T> =>
    services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  const tries = await inside(async (db) => {
    const row = await holdPackage(db)
    return row?.status === 'SUBMITTED' ? (await updatePackage(db, { tries: row.tries + 1 })).tries : null
  })
  if (tries === null) return
  try {
    await inside(async (db) => {
      const row = await holdPackage(db)
      // Another attempt may have been quicker.
      if (row?.status === 'SUBMITTED') await complete(services, db, row)
    })
  } catch (error) {
    if (!(error instanceof Refusal) && tries < TRIES && !last) throw error
    await inside((db) => fail(db, organisationId, (error as Error).message))
  }
}

async function complete(services: Services, db: OrgDb, { contents }: PackageRow): Promise<void> {
  if (!contents) throw new Refusal(409, 'The package is empty.')
  const organisation = await findWelcomed(db)
  const { users, warRooms, fileFolders } = contents
  const { created, skipped } =
    users.length === 0
      ? { created: [], skipped: [] }
      : await importUsers(
          services,
          db,
          { organisation, config: organisation.config },
          users.map((user) => ({ ...user, sendWelcomeSetPasswordEmail: true })),
        )
  const groups = await addGroups(db, organisation, contents)
  await replaceWishes(db, { warRooms, fileFolders })
  await updatePackage(db, {
    status: 'COMPLETED',
    error_code: null,
    failure: null,
    last_update_timestamp: clock.timestamp(),
  })
  const facts = { usersCreated: created.length, usersSkipped: skipped.length, groupsCreated: groups }
  record(db, {
    noun: 'welcome',
    record: organisation.id,
    verb: 'completed',
    changes: Object.fromEntries(Object.entries(facts).map(([field, to]) => [field, { from: null, to }])),
  })
}

/** Makes groups of the rooms that ask for one, and returns how many. Groups that exist by their names stay unchanged. */
async function addGroups(
  db: OrgDb,
  { config }: WelcomedOrganisation,
  { warRooms }: PackageContents,
): Promise<number> {
  const asked = config.groupsEnabled ? warRooms.filter(({ isGroup }) => isGroup) : []
  if (asked.length === 0) return 0
  const known = new Set((await listOptions(db, null, false)).map(({ name }) => nameKeyOf(name)))
  const added = asked.filter(({ name }) => !known.has(nameKeyOf(name)))
  for (const { name, usersEmails } of added)
    await createGroup(db, SYSTEM, { name, description: null, userIds: [...usersEmails] })
  return added.length
}

async function fail(db: OrgDb, id: string, failure: string): Promise<void> {
  await updatePackage(db, { status: 'ERROR', error_code: 'ERROR_DURING_POPULATION', failure })
  record(db, {
    noun: 'welcome',
    record: id,
    verb: 'failed',
    changes: { reason: { from: null, to: failure } },
  })
}
