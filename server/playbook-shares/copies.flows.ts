import { configOf } from '#contract/config/catalogue.ts'
import { MEGABYTE } from '#contract/kit/files.ts'
import { pick } from '#contract/kit/pick.ts'
import {
  cannotReceive,
  FILE_NOT_READ,
  NO_LONGER_A_CHILD,
  noRoomForFiles,
  type ShareResult,
} from '#contract/playbook-shares/schema.ts'
import { NO_START, NO_SUCH_PLAYBOOK, type PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { addPlaybookFiles } from '#server/attachments/flows.ts'
import { type FileRow, listPlaybookFiles } from '#server/attachments/store.ts'
import { keepBlob, keptBytes, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import { DamagedBlob } from '#server/kit/blobs/frames.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import type { Services } from '#server/kit/services.ts'
import { findOwn, holdChild } from '#server/organisations/store.ts'
import { findCategoryByName } from '#server/playbook-categories/store.ts'
import { addPlaybook, openPlaybook } from '#server/playbooks/flows.ts'
import { countForAdding, findCategoryName } from '#server/playbooks/store.ts'

import { holdWaiting, listCopies, listWaiting, updateCopy, updateDone } from './store.ts'

export const SHARES_QUEUE = 'playbook-shares'
const TIMEOUT_SECONDS = 3_600
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'sharing' }
const NOT_COPIED = 'Something went wrong.'

/** A share of an organisation with its children. */
interface Share {
  readonly organisationId: string
  readonly id: string
}
/** A share that is carried out, under the name of the sharing organisation. */
interface BegunShare extends Share {
  readonly actor: EventActor
}
interface Source {
  readonly playbook: PlaybookTemplate
  readonly categoryName: string | undefined
  readonly files: readonly FileRow[]
}
/** Copied bytes of files, by the id of the original bytes. */
type CopiedBlobs = ReadonlyMap<string, StoredBlob>

/** Registers the handler of large shares; call before the jobs begin. */
export function makeShares(services: Services): void {
  services.jobs.handle<{ id: string }>(
    SHARES_QUEUE,
    ({ organisationId, data, ...job }) => carryOut(services, { organisationId, id: data.id }, job),
    { timeoutSeconds: TIMEOUT_SECONDS },
  )
}

/** Shares in progress in this process, so that a request and the job of one share do the work once. */
const running = new Map<string, Promise<void>>()

/**
 * Makes the remaining copies of a share. Each is one transaction of both organisations, so that a crash leaves no
 * partial copy.
 * @throws Error when a copy failed for a reason that may pass, unless it was the last attempt
 */
export function carryOut(
  services: Services,
  share: Share,
  job?: Pick<Job, 'last' | 'isStopping'>,
): Promise<void> {
  let work = running.get(share.id)
  if (!work) {
    work = copyAll(services, share, job).finally(() => running.delete(share.id))
    running.set(share.id, work)
  }
  return work
}

async function copyAll(
  services: Services,
  share: Share,
  { last, isStopping }: Pick<Job, 'last' | 'isStopping'> = { last: false, isStopping: () => false },
): Promise<void> {
  const { own, waiting } = await withParent(services, { ...share, actor: SYSTEM }, async (db) => ({
    own: await findOwn(db),
    waiting: await listWaiting(db, share.id),
  }))
  if (!own) return
  const begun: BegunShare = { ...share, actor: { ...SYSTEM, name: own.displayName } }
  let failure: unknown
  for (const copy of waiting) {
    if (isStopping()) throw new Error('The process ends; the next attempt makes the other copies.')
    try {
      // oxlint-disable-next-line no-await-in-loop -- one copy at a time, so that others use the database too
      await copyOne(services, begun, copy)
    } catch (error) {
      failure ??= error
      // oxlint-disable-next-line no-await-in-loop -- the copies after it are still made
      if (last) await withParent(services, begun, (db) => settle(db, share, copy, NOT_COPIED))
    }
  }
  if (failure && !last) throw failure
}

const withParent = <T>(
  { database }: Services,
  { organisationId, actor }: BegunShare,
  work: (db: OrgDb) => Promise<T>,
): Promise<T> => database.withOrganisation({ organisationId, actor: () => actor }, work)

/** The playbook to copy, with its files; null for one that was deleted meanwhile. */
async function sourceOf(db: OrgDb, id: string): Promise<Source | null> {
  const playbook = await openPlaybook(db, id).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (!playbook) return null
  const { categoryId } = playbook
  const categoryName = categoryId === null ? undefined : await findCategoryName(db, categoryId)
  return { playbook, categoryName, files: await listPlaybookFiles(db, id) }
}

/** Copies one playbook to one organisation, once, or stores the reason of a failure. */
async function copyOne(services: Services, share: BegunShare, copy: ShareResult): Promise<void> {
  const source = await withParent(services, share, (db) => sourceOf(db, copy.playbookId))
  if (!source) return withParent(services, share, (db) => settle(db, share, copy, NO_SUCH_PLAYBOOK))
  const refused = await attempt(services, share, { copy, source, blobs: null })
  if (refused) return
  const blobs = await copyBytes(services, share, copy, source.files).catch((error: unknown) => {
    if (error instanceof DamagedBlob || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  if (!blobs) return withParent(services, share, (db) => settle(db, share, copy, FILE_NOT_READ))
  let isKept = false
  try {
    isKept = await attempt(services, share, { copy, source, blobs })
  } finally {
    // Deletes unused copies; a sweep removes those that a crash leaves.
    if (!isKept)
      await Promise.all([...blobs.values()].map(({ id }) => services.blobs.remove(copy.enterpriseId, id)))
  }
}

/** Re-encrypts the bytes of files for the receiving organisation. */
async function copyBytes(
  { blobs }: Services,
  { organisationId }: Share,
  { enterpriseId }: ShareResult,
  files: readonly FileRow[],
): Promise<Map<string, StoredBlob>> {
  const copies = new Map<string, StoredBlob>()
  try {
    for (const { blobId, size, sha256 } of files) {
      if (copies.has(blobId)) continue
      // oxlint-disable-next-line no-await-in-loop -- one stream at a time
      const content = await blobs.read(organisationId, { id: blobId, size, sha256 })
      // oxlint-disable-next-line no-await-in-loop -- one stream at a time
      copies.set(blobId, await blobs.write(enterpriseId, content))
    }
    return copies
  } catch (error) {
    await Promise.all([...copies.values()].map(({ id }) => blobs.remove(enterpriseId, id)))
    throw error
  }
}

interface Attempt {
  readonly copy: ShareResult
  readonly source: Source
  /** Null to test for a refusal before bytes are copied. */
  readonly blobs: CopiedBlobs | null
}
/**
 * One transaction of both organisations. The receiving one is entered only while it is a child of the sharing one,
 * which is locked until the end.
 * @returns with bytes, whether the copy was added; without, whether it was refused or made before
 */
function attempt({ database }: Services, share: BegunShare, { copy, source, blobs }: Attempt) {
  return database.withProvider(share.actor, async (db) => {
    const parent = <T>(work: (inside: OrgDb) => Promise<T>) =>
      database.enterOrganisation(db, share.organisationId, work)
    const isWaiting = await parent((inside) => holdWaiting(inside, share.id, copy))
    if (!isWaiting) return blobs === null
    const child = await holdChild(db, share.organisationId, copy.enterpriseId)
    const problem = child
      ? await database.enterOrganisation(db, child.id, (inside) =>
          receive(inside, child, { share, source, blobs }),
        )
      : NO_LONGER_A_CHILD
    if (problem !== null || blobs) await parent((inside) => settle(inside, share, copy, problem))
    return blobs ? problem === null : problem !== null
  })
}

type Child = NonNullable<Awaited<ReturnType<typeof holdChild>>>
interface Received {
  readonly share: BegunShare
  readonly source: Source
  readonly blobs: CopiedBlobs | null
}
/** Adds a playbook with its files to the receiving organisation. Returns the reason of a refusal, or null. */
async function receive(
  db: OrgDb,
  { displayName, config, globalConfig }: Child,
  { share: { id: shareId, actor }, source: { playbook, categoryName, files }, blobs }: Received,
): Promise<string | null> {
  const { playbookEnabled, playbookMaxTemplates, fileQuotaMegabytes } = configOf(config, globalConfig ?? {})
  const count = await countForAdding(db)
  if (!playbookEnabled || count >= playbookMaxTemplates) return cannotReceive(displayName, 1)
  const sizes = new Map(files.map(({ blobId, size }) => [blobId, size]))
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  if (bytes > 0 && (await keptBytes(db)) + bytes > fileQuotaMegabytes * MEGABYTE)
    return noRoomForFiles(displayName)
  if (!blobs) return null
  const id = crypto.randomUUID()
  for (const blob of blobs.values()) await keepBlob(db, blob)
  const target = { id, externals: [], at: clock.timestamp() }
  const copies = files.map((file) => ({ file, id: crypto.randomUUID() }))
  const about = ({ name, extension, type }: FileRow) => ({ name, extension, type, createdBy: actor.name })
  await addPlaybookFiles(
    db,
    target,
    copies.map(({ file, id: copyId }) => ({
      ...about(file),
      id: copyId,
      blobId: blobs.get(file.blobId)!.id,
    })),
  )
  const fileIds = new Map(copies.map(({ file, id: copyId }) => [file.id, copyId]))
  await addPlaybook(db, {
    id,
    name: playbook.name,
    description: playbook.description,
    categoryId: (categoryName !== undefined && (await findCategoryByName(db, categoryName))) || null,
    activities: playbook.activities.map((item) => ({
      ...item,
      id: crypto.randomUUID(),
      attachedFileIds: item.attachedFileIds.flatMap((file) => fileIds.get(file) ?? []),
    })),
    proposal: playbook.proposal,
    // People, groups and templates belong to the sharing organisation.
    start: { ...NO_START, ...pick(playbook.start, ['createRoom', 'firstMessage']) },
    owner: null,
    ownerId: null,
    reviewDate: null,
    by: actor.name,
    share: { id: shareId, sourceId: playbook.id },
  })
  return null
}

/** Stores the result of a copy, and completes the share with the last one. */
async function settle(db: OrgDb, { id }: Share, copy: ShareResult, problem: string | null): Promise<void> {
  await updateCopy(db, id, copy, problem)
  if (!(await updateDone(db, id, clock.timestamp()))) return
  const outcomes = (await listCopies(db, id)).map(({ outcome }) => outcome)
  const count = (wanted: ShareResult['outcome']) => outcomes.filter((outcome) => outcome === wanted).length
  record(db, {
    noun: 'playbook-shares',
    record: id,
    verb: 'completed',
    changes: { shared: { from: null, to: count('SHARED') }, failed: { from: null, to: count('FAILED') } },
  })
}
