import { NAME_MIN } from '#contract/chat/schema.ts'
import { makeRoom } from '#server/chat/rooms.flows.ts'
import { isNameTaken } from '#server/chat/rooms.store.ts'
import { lockChat } from '#server/chat/heads.store.ts'
import { folderNameOf, ROOT } from '#contract/files/schema.ts'
import { addFolder } from '#server/files/flows.ts'
import { listNamed as listItemsNamed } from '#server/files/store.ts'
import { createGroup } from '#server/groups/flows.ts'
import { listOptions, nameKeyOf } from '#server/groups/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Services } from '#server/kit/services.ts'
import { importUsers } from '#server/users/import.flows.ts'
import { listNamed } from '#server/users/people.store.ts'

import {
  findWelcomed,
  holdPackage,
  type PackageContents,
  type PackageRow,
  updatePackage,
  type WelcomedOrganisation,
} from './store.ts'

/** The queue of submitted packages. */
export const POPULATION = 'welcome-packages'
/** Attempts at one submitted package before staff are asked. */
const TRIES = 3
const SYSTEM = { kind: 'system', id: null, name: 'welcome package' } as const

/** Registers the handler of submitted packages; call before the jobs begin. */
export function populateSubmitted(services: Services): void {
  services.jobs.handle(POPULATION, (job) => populate(services, job), { parallel: 2 })
}

/**
 * Creates the users, groups, rooms and folders of a package, all or none. A refusal is final, because a retry would be
 * refused too; other errors are retried.
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
      // Another attempt may have completed it.
      if (row?.status === 'SUBMITTED') await complete(services, db, row)
    })
  } catch (error) {
    if (!(error instanceof Refusal) && tries < TRIES && !last) throw error
    await inside((db) => fail(services, db, organisationId, (error as Error).message))
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
          // Deputies are chosen later, among people who exist.
          users.map((user) => ({ ...user, deputy: null, sendWelcomeSetPasswordEmail: true })),
        )
  const groups = await addGroups(db, organisation, contents)
  const folders = await addFolders(db, fileFolders)
  const rooms = await addRooms(db, warRooms)
  await updatePackage(db, {
    status: 'COMPLETED',
    error_code: null,
    failure: null,
    last_update_timestamp: clock.timestamp(),
  })
  const facts = {
    usersCreated: created.length,
    usersSkipped: skipped.length,
    groupsCreated: groups,
    roomsCreated: rooms,
    foldersCreated: folders,
  }
  record(db, {
    noun: 'welcome',
    record: organisation.id,
    verb: 'completed',
    changes: Object.fromEntries(Object.entries(facts).map(([field, to]) => [field, { from: null, to }])),
  })
}

/** Creates groups for the rooms that request one, and returns how many. Existing groups of that name stay unchanged. */
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

/**
 * Creates the war rooms and returns how many. The first person who can sign in owns a room. Existing rooms of that name
 * stay unchanged.
 */
async function addRooms(db: OrgDb, wished: PackageContents['warRooms']): Promise<number> {
  const people = await listNamed(
    db,
    wished.flatMap(({ usersEmails }) => usersEmails),
  )
  const active = new Map(people.filter((one) => one.active).map((one) => [one.email, one]))
  await lockChat(db)
  let made = 0
  for (const { name: title, usersEmails } of wished) {
    const name = title.length < NAME_MIN ? `War Room ${title}` : title
    // oxlint-disable-next-line no-await-in-loop -- each room sees the names of those before it
    if (await isNameTaken(db, name)) continue
    const [owner = null, ...members] = usersEmails
      .flatMap((email) => active.get(email) ?? [])
      .map(({ uuid, email }) => ({ id: uuid, email }))
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await makeRoom(db, { kind: 'WAR_ROOM', name, description: null, owner, members })
    made += 1
  }
  return made
}

/** Creates root folders of the file storage and returns how many. Existing folders of that name stay unchanged. */
async function addFolders(db: OrgDb, wished: PackageContents['fileFolders']): Promise<number> {
  await lockFor(db, 'files')
  let made = 0
  for (const { name: title, adminOnly } of wished) {
    const name = folderNameOf(title)
    const named = { name, extension: '' }
    // oxlint-disable-next-line no-await-in-loop -- each folder sees the names of those before it
    if ((await listItemsNamed(db, ROOT, [named], [])).length > 0) continue
    const folderType = adminOnly ? 'ADMIN' : 'PUBLIC'
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await addFolder(db, null, { name, folderType, groupIds: [], createdBy: SYSTEM.name })
    made += 1
  }
  return made
}

/** Stores the reason for staff and mails it to them. */
async function fail(services: Services, db: OrgDb, id: string, failure: string): Promise<void> {
  await updatePackage(db, { status: 'ERROR', error_code: 'ERROR_DURING_POPULATION', failure })
  record(db, {
    noun: 'welcome',
    record: id,
    verb: 'failed',
    changes: { reason: { from: null, to: failure } },
  })
  const { displayName } = await findWelcomed(db)
  const message = emailMessage({
    subject: `The welcome package of ${displayName} failed`,
    before: [`The welcome package of ${displayName} could not be processed:`, failure],
    link: { href: `${services.publicUrl()}/management/organizations`, label: 'Open the management console' },
    after: ['What was entered is kept. The package can be retried there once the cause is removed.'],
  })
  for (const to of services.settings.staffEmails)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await services.post.mail(db, { to, ...message })
}
