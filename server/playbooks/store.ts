import { type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'

import type { PLAYBOOK_SORT_FIELDS, PlaybookSelection, playbooksApi } from '#contract/playbooks/api.ts'
import type {
  DraftSummary,
  PlaybookActivity,
  PlaybookContent,
  PlaybookSummary,
  PlaybookTemplate,
  PlaybookVersion,
  PlaybookVersionContent,
} from '#contract/playbooks/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { type ColumnsOf, json, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import { lockFor, type OrgDb } from '#server/kit/database/db.ts'
import { prefixQuery, searchWords } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { pageOf } from '#server/kit/http/lists.ts'
import { inTimeSlice } from '#server/kit/core/time-slice.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbooks: ColumnsOf<PlaybookRow> & {
      archived_by: string | null
      delete_timestamp: string | null
      deleted_by: string | null
      reminded_date: string | null
      sort_key: GeneratedAlways<string>
      tasks_count: GeneratedAlways<number>
      words: string
    }
    playbook_versions: ColumnsOf<VersionRow>
  }
}

/** A playbook as stored. */
export interface PlaybookRow extends Omit<
  PlaybookTemplate,
  'attachmentsFolderId' | 'owner' | 'draft' | 'tasksCount'
> {
  ownerId: string | null
  /** The share and the parent's playbook that this one was copied from. */
  shareId: string | null
  sourceId: string | null
}
interface VersionRow extends PlaybookVersionContent {
  playbookId: string
}

const STORED = [
  'id',
  'name',
  'categoryId',
  'description',
  'activitiesCount',
  'tasksCount',
  'createdBy',
  'createTimestamp',
  'updatedBy',
  'updateTimestamp',
  'sharedBy',
  'version',
  'isPublished',
  'archiveTimestamp',
  'lastUsedTimestamp',
  'usesCount',
  'proposal',
] as const satisfies readonly (keyof PlaybookSummary)[]
/** The draft of a playbook, without its content. */
const DRAFT = sql<DraftSummary | null>`(
  select jsonb_build_object('revision', d.revision, 'state', d.state, 'savedBy', d.saved_by,
      'savedTimestamp', to_char(d.saved_timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from playbook_drafts d where d.playbook_id = playbooks.id)`
/** Columns without headings and tasks. */
export const SUMMARY = [
  ...selectionOf(STORED, 'playbooks.'),
  sql<string>`playbooks.id`.as('attachmentsFolderId'),
  // As text, because the driver reads a date as midnight in the server's time zone.
  sql<string | null>`playbooks.review_date::text`.as('reviewDate'),
  sql<string | null>`(select u.email from users u where u.id = playbooks.owner_id)`.as('owner'),
  DRAFT.as('draft'),
] as const

/** A heading or task with a fixed order of fields, which `jsonb` does not keep, so that texts can be compared. */
export const inOrder = (item: PlaybookActivity): PlaybookActivity => ({
  id: item.id,
  type: item.type,
  title: item.title,
  description: item.description,
  formattedDescription: item.formattedDescription,
  level: item.level,
  condition: item.condition,
  priority: item.priority,
  idealTitleToExecute: item.idealTitleToExecute,
  expectedTimeToComplete: item.expectedTimeToComplete,
  attachedFileIds: item.attachedFileIds,
  index: item.index,
})

/** Playbooks that incidents can take and lists show. */
export const PUBLISHED = sql<boolean>`playbooks.is_published and playbooks.delete_timestamp is null
  and playbooks.archive_timestamp is null`

const today = (): string => clock.timestamp().slice(0, 10)
const BY: { readonly [F in (typeof PLAYBOOK_SORT_FIELDS)[number]]: RawBuilder<unknown> } = {
  name: sql`sort_key`,
  updateTimestamp: sql`update_timestamp`,
  reviewDate: sql`review_date`,
  lastUsedTimestamp: sql`last_used_timestamp`,
}
/** Playbooks that count towards the limit. */
const COUNTED = sql<boolean>`playbooks.delete_timestamp is null and playbooks.archive_timestamp is null`
const hasDraft = (state: RawBuilder<boolean>) =>
  sql<boolean>`${COUNTED} and exists (select from playbook_drafts d where d.playbook_id = playbooks.id and ${state})`
/** Playbooks of a selection. Drafts are for writers; for others they are no part of any. */
const SELECTED: { readonly [S in PlaybookSelection]: (canWrite: boolean) => RawBuilder<boolean> } = {
  PUBLISHED: () => PUBLISHED,
  COUNTED: (canWrite) => (canWrite ? COUNTED : PUBLISHED),
  DRAFT: (canWrite) => (canWrite ? hasDraft(sql<boolean>`true`) : sql<boolean>`false`),
  NEW: (canWrite) =>
    canWrite ? sql<boolean>`${COUNTED} and not playbooks.is_published` : sql<boolean>`false`,
  WAITING: (canWrite) => (canWrite ? hasDraft(sql<boolean>`d.state = 'WAITING'`) : sql<boolean>`false`),
  ARCHIVED: (canWrite) =>
    sql<boolean>`playbooks.delete_timestamp is null and playbooks.archive_timestamp is not null
      and (playbooks.is_published or ${canWrite}::boolean)`,
}

/** Repeats the condition of the index. */
const PROPOSED = sql`proposal <> '{"kinds": [], "severities": [], "words": []}'`

type ListQuery = z.output<(typeof playbooksApi)['list']['query']>
/** True when a playbook has every word of a search, or words with that prefix. */
function matchesWords(q = ''): RawBuilder<boolean> {
  const words = searchWords(q)
  if (words.length === 0) return sql<boolean>`${q.trim() === ''}::boolean`
  return sql<boolean>`id in (select visibility.search_playbooks(${prefixQuery(words)}::tsquery))`
}

const matching = (
  db: OrgDb,
  { q, categoryId, reviewDue, used, hasProposal, selection = 'PUBLISHED' }: NonNullable<ListQuery['filter']>,
  canWrite: boolean,
) =>
  db
    .selectFrom('playbooks')
    .where(SELECTED[selection](canWrite))
    .where(matchesWords(q))
    .$if(used !== undefined, (all) => all.where(sql<boolean>`(last_used_timestamp is not null) = ${used}`))
    .$if(categoryId !== undefined, (all) =>
      categoryId === null
        ? all.where('category_id', 'is', null)
        : all.where('category_id', '=', categoryId ?? null),
    )
    .$if(hasProposal !== undefined, (all) => all.where(sql<boolean>`(${PROPOSED}) = ${hasProposal}`))
    .$if(reviewDue !== undefined, (all) =>
      all.where(sql<boolean>`coalesce(review_date <= ${today()}::date, false) = ${reviewDue}`),
    )

/**
 * Playbooks, by name unless a sort is given; those without a review date or a use come last. Only the whole list has
 * headings and tasks.
 */
export function listPlaybooks(
  db: OrgDb,
  { sort, range, filter = {} }: ListQuery,
  canWrite: boolean,
): Promise<Page<PlaybookSummary & { activities?: PlaybookActivity[] }>> {
  const [field, direction] = sort ?? ['name', 'ASC']
  const nulls = field === 'reviewDate' || field === 'lastUsedTimestamp' ? sql` nulls last` : sql``
  const list = matching(db, filter, canWrite)
    .select(SUMMARY)
    .$if(!range, (whole) => whole.select('playbooks.activities'))
    .orderBy(sql`${BY[field]} ${sql.raw(direction)}${nulls}`)
    .orderBy('id')
  return pageOf(list, range)
}

/** The name of a category, locked until the transaction ends; undefined where there is none. */
export async function findCategoryName(db: OrgDb, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('playbook_categories')
    .select('name')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return row?.name
}

/** Published playbooks of all categories by name, without headings and tasks. */
export const listCategorized = (db: OrgDb): Promise<PlaybookSummary[]> =>
  db
    .selectFrom('playbooks')
    .select(SUMMARY)
    .where(PUBLISHED)
    .where('category_id', 'is not', null)
    .orderBy('sort_key')
    .orderBy('id')
    .execute()

/** Moves uncategorized playbooks into a category. Their versions do not change. */
export async function recategorize(db: OrgDb, ids: readonly string[], categoryId: string): Promise<void> {
  await sql`update playbooks set category_id = ${categoryId}
    where id = any(${ids}::uuid[]) and category_id is null`.execute(db)
}

/** Names of published playbooks by id. */
export async function listPlaybookNames(db: OrgDb, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('playbooks')
    .select(['id', 'name'])
    .where(PUBLISHED)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A playbook that is not in the bin. */
export const findPlaybook = (db: OrgDb, id: string): Promise<PlaybookTemplate | undefined> =>
  db
    .selectFrom('playbooks')
    .select([...SUMMARY, 'playbooks.activities', 'playbooks.start'])
    .where('id', '=', id)
    .where('delete_timestamp', 'is', null)
    .executeTakeFirst()

/** The publication of a playbook that is not in the bin. */
export type PlaybookState = Pick<PlaybookRow, 'isPublished' | 'archiveTimestamp'>
/** The state of a playbook that is not in the bin; locks it until the transaction ends when it is about to change. */
export const findPlaybookState = (
  db: OrgDb,
  id: string,
  hold?: 'change',
): Promise<PlaybookState | undefined> =>
  db
    .selectFrom('playbooks')
    .select(selectionOf(['isPublished', 'archiveTimestamp']))
    .where('id', '=', id)
    .where('delete_timestamp', 'is', null)
    .$if(hold !== undefined, (row) => row.forUpdate())
    .executeTakeFirst()

/** Counts the playbooks that count towards the limit. Locks out other additions until the transaction ends. */
export async function countForAdding(db: OrgDb): Promise<number> {
  await lockFor(db, 'playbooks')
  const { count } = await db
    .selectFrom('playbooks')
    .select(sql<number>`count(*)`.as('count'))
    .where(COUNTED)
    .executeTakeFirstOrThrow()
  return count
}

/** Moves a playbook into the archive, or back out of it with null. */
export async function updateArchived(
  db: OrgDb,
  id: string,
  archived: { readonly at: string; readonly by: string } | null,
): Promise<void> {
  await db
    .updateTable('playbooks')
    .set({ archive_timestamp: archived?.at ?? null, archived_by: archived?.by ?? null })
    .where('id', '=', id)
    .execute()
}

/** Notes that an incident took tasks from a playbook. */
export async function updateUse(db: OrgDb, id: string, at: string): Promise<void> {
  await db
    .updateTable('playbooks')
    .set({ last_used_timestamp: at, uses_count: sql`uses_count + 1` })
    .where('id', '=', id)
    .execute()
}

/** Words of one playbook that are searchable; index entries have a size limit. */
const WORDS_MAX = 20_000
/** The search index of a playbook, collected text by text: there may be millions of characters. */
async function wordsOf({ name, description, activities }: PlaybookWords): Promise<RawBuilder<string>> {
  const texts = [name, description, ...activities.flatMap((item) => [item.title, item.description])]
  const words = new Set<string>()
  for (const text of texts) {
    if (words.size >= WORDS_MAX) break
    for (const word of await inTimeSlice(() => searchWords(text))) words.add(word)
  }
  const known = [...words].slice(0, WORDS_MAX)
  return sql`array_to_tsvector(${known}::text[] || (':' || current_organisation()))`
}
type PlaybookWords = Pick<PlaybookRow, 'name' | 'description' | 'activities'>

export async function insertPlaybook(db: OrgDb, row: PlaybookRow): Promise<void> {
  await db
    .insertInto('playbooks')
    .values({
      ...valuesOf(row),
      activities: json(row.activities),
      proposal: json(row.proposal),
      start: json(row.start),
      words: await wordsOf(row),
      reminded_date: null,
    })
    .execute()
}

/** Stores the changed content of a playbook. */
export async function updatePlaybook(
  db: OrgDb,
  id: string,
  changes: Partial<PlaybookRow> & PlaybookWords,
): Promise<void> {
  const { activities, proposal, start, ...others } = changes
  await db
    .updateTable('playbooks')
    .set({
      ...valuesOf(others),
      activities: json(activities),
      ...(proposal && { proposal: json(proposal) }),
      ...(start && { start: json(start) }),
      words: await wordsOf(changes),
    })
    .where('id', '=', id)
    .execute()
}

const VERSION = [
  'version',
  'savedBy',
  'savedTimestamp',
  'restoredFrom',
  'approvedBy',
] as const satisfies readonly (keyof PlaybookVersion)[]

/** Versions of a playbook, newest first unless a sort is given. */
export function listVersions(
  db: OrgDb,
  id: string,
  { sort, range }: z.output<(typeof playbooksApi)['versions']['query']>,
): Promise<Page<PlaybookVersion>> {
  const list = db
    .selectFrom('playbook_versions')
    .select(selectionOf(VERSION))
    .where('playbook_id', '=', id)
    .orderBy('version', sort?.[1] === 'ASC' ? 'asc' : 'desc')
  return pageOf(list, range)
}

export const findVersion = (
  db: OrgDb,
  id: string,
  version: number,
): Promise<PlaybookVersionContent | undefined> =>
  db
    .selectFrom('playbook_versions')
    .select(selectionOf([...VERSION, 'content', 'fileNames']))
    .where('playbook_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()

export async function insertVersion(
  db: OrgDb,
  playbookId: string,
  {
    content,
    fileNames,
    ...version
  }: PlaybookVersion & { content: PlaybookContent; fileNames: Record<string, string> },
): Promise<void> {
  await db
    .insertInto('playbook_versions')
    .values({
      ...valuesOf({ playbookId, ...version }),
      content: json(content),
      file_names: json(fileNames),
    })
    .execute()
}
