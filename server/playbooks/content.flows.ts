import {
  type NewPlaybookActivity,
  NO_PROPOSAL,
  NO_START,
  NO_SUCH_CATEGORY,
  NO_SUCH_PLAYBOOK_FILE,
  type PlaybookActivity,
  type PlaybookContent,
  type PlaybookStart,
  type PlaybookTemplate,
  tooManyItems,
  UNKNOWN_OWNER,
} from '#contract/playbooks/schema.ts'
import { NO_SUCH_GROUP } from '#contract/groups/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { proposalTexts, startTexts } from '#contract/playbooks/rules.ts'
import { listPlaybookFiles } from '#server/attachments/store.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { changesBetween } from '#server/kit/events/events.ts'
import { describedBy } from '#server/kit/core/formatted-text.ts'
import { wrongField } from '#server/kit/core/refusal.ts'
import { inTimeSlice } from '#server/kit/core/time-slice.ts'
import { listGroupNames } from '#server/groups/store.ts'
import { listColleagues } from '#server/users/people.store.ts'
import { findUserByEmail } from '#server/users/store.ts'

import { findCategoryName, inOrder } from './store.ts'

/** Fields of a playbook that people edit. */
export type PlaybookValues = PlaybookContent & Pick<PlaybookTemplate, 'owner' | 'reviewDate'>

/** The files of a playbook that its tasks may refer to. */
export interface PlaybookFiles {
  /** Stored ids by sent ids; they differ for copied files. */
  readonly ids: ReadonlyMap<string, string>
  /** Deleted files that tasks referred to. Requests may still send them; they are left out. */
  readonly deleted: ReadonlySet<string>
}
export const NO_FILES: PlaybookFiles = { ids: new Map(), deleted: new Set() }

/** The ids of the files that items refer to. */
export const filesOf = (activities: readonly Pick<PlaybookActivity, 'attachedFileIds'>[]): Set<string> =>
  new Set(activities.flatMap(({ attachedFileIds }) => attachedFileIds))

/** File names of a playbook by id. */
export async function fileNamesOf(db: OrgDb, playbookId: string): Promise<Map<string, string>> {
  const files = await listPlaybookFiles(db, playbookId)
  return new Map(files.map((file) => [file.id, wholeName(file)]))
}

/** Items without files that were deleted since the items were saved. */
export const withFiles = (
  activities: readonly PlaybookActivity[],
  files: { readonly has: (id: string) => boolean },
): PlaybookActivity[] =>
  activities.map((item) =>
    inOrder({ ...item, attachedFileIds: item.attachedFileIds.filter((id) => files.has(id)) }),
  )

/**
 * Items as stored, in their order. Texts are sanitised in time slices. An item keeps its id where the playbook has it, once; others get a new one.
 * @throws Refusal 400 at a file that is not one of the playbook
 */
export async function activitiesOf(
  sent: readonly NewPlaybookActivity[],
  stored: readonly PlaybookActivity[],
  { ids, deleted }: PlaybookFiles,
): Promise<PlaybookActivity[]> {
  const known = new Map(stored.map((item) => [item.id, item]))
  const used = new Set<string>()
  const fileIdsOf = ({ attachedFileIds }: NewPlaybookActivity, index: number) =>
    attachedFileIds.flatMap((id, n) => {
      const file = ids.get(id)
      if (file === undefined && !deleted.has(id))
        throw wrongField(`activities.${index}.attachedFileIds.${n}`, NO_SUCH_PLAYBOOK_FILE)
      return file ?? []
    })
  const activities: PlaybookActivity[] = []
  for (const [index, item] of sent.entries()) {
    const isTask = item.type === 'TASK'
    const kept = item.id !== undefined && !used.has(item.id) ? known.get(item.id) : undefined
    const id = kept?.id ?? crypto.randomUUID()
    used.add(id)
    activities.push({
      id,
      type: item.type,
      title: item.title.trim(),
      ...(await inTimeSlice(() => describedBy(item, kept, (field) => `activities.${index}.${field}`))),
      level: isTask ? 1 : item.level,
      condition: isTask ? null : item.condition,
      priority: isTask ? item.priority : 'MEDIUM',
      idealTitleToExecute: isTask ? item.idealTitleToExecute : null,
      expectedTimeToComplete: isTask ? item.expectedTimeToComplete : null,
      attachedFileIds: isTask ? [...new Set(fileIdsOf(item, index))] : [],
      index,
    })
  }
  return activities
}

/** @throws Refusal 400 with more headings and tasks than the organisation allows */
export function demandRoom(activities: readonly unknown[], max: number): void {
  if (activities.length > max) throw wrongField('activities', tooManyItems(max))
}

/**
 * The id of the playbook's owner; null for nobody.
 * @throws Refusal 400 unless they are active and of the organisation
 */
export async function ownerIdOf(db: OrgDb, owner: string | null): Promise<string | null> {
  if (owner === null) return null
  const person = await findUserByEmail(db, owner)
  if (!person?.active || person.banned || person.type === 'EXTERNAL') throw wrongField('owner', UNKNOWN_OWNER)
  return person.id
}

/** @throws Refusal 400 for a category that does not exist */
export async function demandCategory(db: OrgDb, categoryId: string | null): Promise<void> {
  if (categoryId !== null && (await findCategoryName(db, categoryId)) === undefined)
    throw wrongField('categoryId', NO_SUCH_CATEGORY)
}

/** Titles that an event lists. */
const NAMED = 20
const titlesOf = (items: readonly PlaybookActivity[]): string | null => {
  const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : ''
  const titles = items.slice(0, NAMED).map(({ title }) => title)
  return items.length === 0 ? null : titles.join(', ') + more
}

/** An item as text, regardless of its position. */
const textOf = (item: PlaybookActivity): string => JSON.stringify(inOrder({ ...item, index: 0 }))
/** Differences between the items of two saves, by title. */
function itemChanges(before: readonly PlaybookActivity[], after: readonly PlaybookActivity[]): Changes {
  const old = new Map(before.map((item) => [item.id, item]))
  const now = new Set(after.map(({ id }) => id))
  const added = after.filter(({ id }) => !old.has(id))
  const removed = before.filter(({ id }) => !now.has(id))
  const kept = after.filter(({ id }) => old.has(id))
  const changed = kept.filter((item) => textOf(item) !== textOf(old.get(item.id)!))
  const isMoved = before.filter(({ id }) => now.has(id)).some(({ id }, place) => id !== kept[place]!.id)
  return {
    ...(added.length > 0 && { itemsAdded: { from: null, to: titlesOf(added) } }),
    ...(removed.length > 0 && { itemsRemoved: { from: titlesOf(removed), to: null } }),
    ...(changed.length > 0 && { itemsChanged: { from: null, to: titlesOf(changed) } }),
    ...(isMoved && { itemsMoved: { from: null, to: true } }),
  }
}

/**
 * Refuses people and groups that a playbook cannot add at the start.
 * @param known the start before, whose people and groups may have gone since
 * @throws Refusal 400 at the first person who is not active and of the organisation, or at the first unknown group
 */
export async function demandStart(
  db: OrgDb,
  { people, groupIds }: PlaybookStart,
  known: PlaybookStart = NO_START,
): Promise<void> {
  const found = new Set((await listColleagues(db, people)).map(({ email }) => email))
  const wrong = people.findIndex((email) => !found.has(email) && !known.people.includes(email))
  if (wrong >= 0) throw wrongField(`start.people.${wrong}`, UNKNOWN_OWNER)
  const groups = await listGroupNames(db, groupIds)
  const missing = groupIds.findIndex((id) => !groups.has(id) && !known.groupIds.includes(id))
  if (missing >= 0) throw wrongField(`start.groupIds.${missing}`, NO_SUCH_GROUP)
}

const AUDITED = ['name', 'description', 'owner', 'reviewDate'] as const
/** The changed parts of proposal and start, as texts. */
function textChanges(before: PlaybookValues | null, after: PlaybookValues): Changes {
  const texts = {
    proposal: [proposalTexts(before?.proposal ?? NO_PROPOSAL), proposalTexts(after.proposal)],
    start: [startTexts(before?.start ?? NO_START), startTexts(after.start)],
  } as const
  const differing = Object.entries(texts).filter(([, [from, to]]) => from.join('\n') !== to.join('\n'))
  return Object.fromEntries(differing.map(([field, [from, to]]) => [field, { from, to }]))
}
/** Differences between two states of a playbook, for its history; null for a new one. */
export async function changesOf(
  db: OrgDb,
  before: PlaybookValues | null,
  after: PlaybookValues,
): Promise<Changes> {
  const nameOf = async (id: string | null = null) =>
    id === null ? null : ((await findCategoryName(db, id)) ?? null)
  const isMoved = (before?.categoryId ?? null) !== after.categoryId
  return {
    ...changesBetween<PlaybookValues>(before, after, AUDITED),
    ...(isMoved && {
      category: { from: await nameOf(before?.categoryId), to: await nameOf(after.categoryId) },
    }),
    ...textChanges(before, after),
    ...itemChanges(before?.activities ?? [], after.activities),
  }
}
