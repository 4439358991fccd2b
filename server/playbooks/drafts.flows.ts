import { cut } from '#contract/kit/cut.ts'
import { allows } from '#contract/kit/access.ts'
import { pick } from '#contract/kit/pick.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import {
  APPROVAL_NOT_REQUESTED,
  type DraftState,
  NEVER_PUBLISHED,
  type OpenedPlaybook,
  OWN_DRAFT,
  PlaybookContent,
  type PlaybookDraft,
  type PlaybookTemplate,
} from '#contract/playbooks/schema.ts'
import { ROLES } from '#contract/users/rules.ts'
import { USER_ROLES } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import { fieldsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyOfPlaybook } from '#server/notifications/flows.ts'
import { listNamed } from '#server/users/people.store.ts'
import { findUserByEmail, listWithRoles } from '#server/users/store.ts'

import { openedPlaybook } from './access.flows.ts'
import {
  changesOf,
  demandRoom,
  fileNamesOf,
  filesOf,
  type PlaybookValues,
  withFiles,
} from './content.flows.ts'
import {
  deleteDraft,
  type DraftRow,
  findDraft,
  type StoredDraft,
  updateReturned,
  upsertDraft,
} from './drafts.store.ts'
import { holdForChange, openWithPeople, save } from './flows.ts'
import { findCategoryName, updatePlaybook } from './store.ts'

const CONTENT = fieldsOf(PlaybookContent)

/** Services that notify people of drafts. */
export type DraftServices = Pick<Services, 'post' | 'publicUrl'>

export const APPROVAL_REQUESTED = 'A playbook waits for your approval'
export const DRAFT_RETURNED = 'A playbook was sent back to you'
export const DRAFT_APPROVED = 'A playbook of yours was approved'

/** The state of a save that becomes a draft; null for one that is published at once. */
export const draftStateOf = ({ config }: Acting, asDraft = false): DraftState | null =>
  asDraft ? 'DRAFT' : config.playbookApproval ? 'WAITING' : null

const draftStale = (draft: StoredDraft | undefined): Refusal => {
  const what = draft ? `${draft.savedBy} saved the draft` : 'The draft was published or discarded'
  return new Refusal(409, `${what} meanwhile. Please look at it again.`, { code: 'draft' })
}

/**
 * Refuses a save that would replace a draft unseen. Callers who know of no drafts replace their own.
 * @throws Refusal 409 `draft`
 */
export function demandSeen(by: Acting, draft: StoredDraft | undefined, revision: string | undefined): void {
  if (draft?.revision === revision) return
  const isOwn = revision === undefined && draft?.savedBy === by.name
  if (!isOwn) throw draftStale(draft)
}

interface Drafting {
  readonly before: PlaybookTemplate
  /** The draft that the save replaces. */
  readonly draft: StoredDraft | undefined
  readonly state: DraftState
  /** Id of the owner where it changes. */
  readonly ownerId: string | null | undefined
}
/**
 * Keeps a save of a locked playbook as its draft, and requests approval where it newly waits for one. The row of a
 * playbook that was never published repeats the draft.
 */
export async function keepDraft(
  services: DraftServices,
  db: OrgDb,
  by: Acting,
  { before, draft, state, ownerId: changedOwner }: Drafting,
  values: PlaybookValues,
): Promise<void> {
  const { id } = before
  const { reviewDate, owner, ...content } = pick(values, [...CONTENT, 'reviewDate', 'owner'])
  const now = clock.timestamp()
  const ownerId =
    changedOwner === undefined
      ? owner === null
        ? null
        : ((await findUserByEmail(db, owner))?.id ?? null)
      : changedOwner
  const previous = draft ? { ...draft.content, owner: draft.owner, reviewDate: draft.reviewDate } : before
  const changes = await changesOf(db, previous, values)
  await upsertDraft(db, {
    playbookId: id,
    revision: crypto.randomUUID(),
    state,
    baseVersion: draft?.baseVersion ?? before.version,
    content,
    ownerId,
    reviewDate,
    savedBy: by.name,
    savedTimestamp: now,
    authorIds: [...new Set([...(draft?.authorIds ?? []), by.id])],
    returnedBy: null,
    returnReason: null,
  })
  if (!before.isPublished)
    await updatePlaybook(db, id, {
      ...content,
      activitiesCount: content.activities.length,
      ownerId,
      reviewDate,
      updatedBy: by.name,
      updateTimestamp: now,
    })
  const verb = state === 'WAITING' ? 'approval requested' : 'draft saved'
  record(db, { noun: 'playbooks', record: id, verb, changes, at: now })
  if (state === 'WAITING' && draft?.state !== 'WAITING') await requestApproval(services, db, by, id)
}

/** Publishes what becomes of a draft, which ends with it. */
export async function publish(
  ...[db, by, before, ...rest]: Parameters<typeof save>
): Promise<OpenedPlaybook> {
  await deleteDraft(db, before.id)
  const saved = await save(db, by, before, ...rest)
  if (saved.version === before.version)
    record(db, { noun: 'playbooks', record: before.id, verb: 'draft discarded' })
  return saved
}

/** Roles that write playbooks. */
const WRITERS = USER_ROLES.filter((role) =>
  allows(
    { ...playbooksAccess.write, realm: 'organisation' },
    { kind: 'person', permissions: ROLES[role].permissions },
  ),
)

/**
 * Notifies the owner of the playbook, where they can approve the draft, otherwise everybody who can, in the product and
 * by mail.
 */
async function requestApproval(
  { post, publicUrl }: DraftServices,
  db: OrgDb,
  by: Acting,
  id: string,
): Promise<void> {
  const { content, ownerId, authorIds } = (await findDraft(db, id))!
  const others = (await listWithRoles(db, WRITERS)).filter((person) => !authorIds.includes(person.id))
  const owner = others.find((person) => person.id === ownerId)
  const approvers = owner ? [owner] : others
  const notice = { id, title: APPROVAL_REQUESTED, details: content.name }
  await notifyOfPlaybook(
    db,
    approvers.map((person) => person.id),
    notice,
  )
  await post.mail(
    db,
    ...approvers.map(({ email, firstName }) => ({
      to: email,
      ...emailMessage({
        subject: `${APPROVAL_REQUESTED}: ${content.name}`,
        before: [
          `Hello ${firstName},`,
          `${by.name} changed the playbook “${content.name}” and asks for approval. Nothing of it is used before.`,
        ],
        link: { href: `${publicUrl()}/playbooks/${id}?draft=1`, label: 'Look at the draft' },
      }),
    })),
  )
}

/**
 * The draft of a playbook, without references to deleted files.
 * @throws Refusal 404
 */
export async function openDraft(db: OrgDb, by: Acting, id: string): Promise<PlaybookDraft> {
  await openedPlaybook(db, by, id)
  const draft = await findDraft(db, id)
  if (!draft) throw notFound('This draft')
  const { playbookId: _, ownerId: __, authorIds, content, ...rest } = draft
  const names = await fileNamesOf(db, id)
  const referred = filesOf(content.activities)
  const shown = [draft.savedBy, draft.owner, draft.returnedBy, ...content.start.people].filter(
    (email) => email !== null,
  )
  return {
    ...rest,
    content: { ...content, activities: withFiles(content.activities, names) },
    fileNames: Object.fromEntries([...names].filter(([file]) => referred.has(file))),
    isOwn: authorIds.includes(by.id),
    people: await listNamed(db, shown),
  }
}

/**
 * The draft of a locked playbook.
 * @throws Refusal 404, 409 `draft` unless it is at that revision
 */
async function draftAt(db: OrgDb, id: string, revision: string): Promise<StoredDraft> {
  const draft = await findDraft(db, id)
  if (draft?.revision !== revision) throw draftStale(draft)
  return draft
}

/**
 * Discards the draft of a published playbook.
 * @throws Refusal 404, 409
 */
export async function discardDraft(db: OrgDb, by: Acting, id: string, revision: string): Promise<void> {
  const { isPublished } = await openedPlaybook(db, by, id, 'change')
  await draftAt(db, id, revision)
  demand(isPublished, 409, NEVER_PUBLISHED)
  await deleteDraft(db, id)
  record(db, { noun: 'playbooks', record: id, verb: 'draft discarded' })
}

/** @throws Refusal 409 unless the draft asks for approval, 403 for its authors */
function demandApprover(by: Acting, { state, authorIds }: DraftRow): void {
  demand(state === 'WAITING', 409, APPROVAL_NOT_REQUESTED)
  demand(!authorIds.includes(by.id), 403, OWN_DRAFT)
}

/**
 * Publishes a draft as the next version, without files and a category that were deleted since. Where the organisation
 * asks for approvals, this is one.
 * @throws Refusal 404, 409 `stale` or `draft`, 403 for an author where approval is needed, 400 with more headings and
 * tasks than are allowed now
 */
export async function publishDraft(
  db: OrgDb,
  by: Acting,
  id: string,
  { revision, version }: { revision: string; version?: number | undefined },
): Promise<OpenedPlaybook> {
  const before = await holdForChange(db, by, id, version)
  const draft = await draftAt(db, id, revision)
  if (by.config.playbookApproval) demandApprover(by, draft)
  const { content, owner, ownerId, reviewDate, savedBy, authorIds } = draft
  demandRoom(content.activities, by.config.maxActivitiesPerPlaybook)
  const { categoryId } = content
  const hasCategory = categoryId !== null && (await findCategoryName(db, categoryId)) !== undefined
  const activities = withFiles(content.activities, await fileNamesOf(db, id))
  const isApproved = !authorIds.includes(by.id)
  const after = { ...content, categoryId: hasCategory ? categoryId : null, activities, owner, reviewDate }
  const saved = await publish(db, by, before, after, {
    verb: 'published',
    ownerId,
    author: savedBy,
    approvedBy: isApproved ? by.name : null,
  })
  if (isApproved) await notifyOfPlaybook(db, authorIds, { id, title: DRAFT_APPROVED, details: content.name })
  return saved
}

/** Characters of a reason in a notification. */
const REASON_SHOWN = 200
/**
 * Sends a draft that waits for approval back to its authors, who are notified in the product and by mail.
 * @throws Refusal 404, 409, 403 for an author of the draft
 */
export async function returnDraft(
  { post, publicUrl }: DraftServices,
  db: OrgDb,
  by: Acting,
  id: string,
  { revision, reason }: { revision: string; reason: string },
): Promise<OpenedPlaybook> {
  await openedPlaybook(db, by, id, 'change')
  const draft = await draftAt(db, id, revision)
  demandApprover(by, draft)
  const { content, authorIds } = draft
  await updateReturned(db, id, { by: by.name, reason })
  record(db, {
    noun: 'playbooks',
    record: id,
    verb: 'draft returned',
    changes: { reason: { from: null, to: reason } },
  })
  const details = `${content.name}: ${cut(reason, REASON_SHOWN)}`
  await notifyOfPlaybook(db, authorIds, { id, title: DRAFT_RETURNED, details })
  const authors = (await listWithRoles(db, USER_ROLES)).filter((person) => authorIds.includes(person.id))
  await post.mail(
    db,
    ...authors.map(({ email, firstName }) => ({
      to: email,
      ...emailMessage({
        subject: `${DRAFT_RETURNED}: ${content.name}`,
        before: [
          `Hello ${firstName},`,
          `${by.name} did not approve your draft of the playbook “${content.name}”:`,
          reason,
        ],
        link: { href: `${publicUrl()}/playbooks/${id}?draft=1`, label: 'Open the draft' },
      }),
    })),
  )
  return openWithPeople(db, by, id)
}
