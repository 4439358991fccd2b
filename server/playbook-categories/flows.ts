import type {
  CategoryChanges,
  ListedCategory,
  NewCategory,
  PlaybookCategory,
} from '#contract/playbook-categories/schema.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'

import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import { asSeenBy } from '#server/playbooks/flows.ts'
import { listCategorized, recategorize } from '#server/playbooks/store.ts'

import { categories, nameKeyOf } from './store.ts'

/** Categories by name, each with its playbooks by name where requested. */
export async function listCategories(
  db: OrgDb,
  by: Acting,
  { withPlaybooks }: { withPlaybooks: boolean },
): Promise<ListedCategory[]> {
  const { rows } = await categories.list(db, {})
  if (!withPlaybooks) return [...rows] as ListedCategory[]
  const playbooks = (await listCategorized(db)).map((row) => asSeenBy(by, row))
  const byCategory = Map.groupBy(playbooks, ({ categoryId }) => categoryId)
  return rows.map((category) => ({
    ...(category as PlaybookCategory),
    playbooks: byCategory.get(category.id) ?? [],
  }))
}

/** @throws Refusal 409 where the name is in use */
export const createCategory = (db: OrgDb, { name }: z.infer<typeof NewCategory>): Promise<PlaybookCategory> =>
  categories.create(db, { name, nameKey: nameKeyOf(name) })

/** @throws Refusal 404, 409 where the name is in use or the category changed meanwhile */
export async function changeCategory(
  db: OrgDb,
  id: string,
  { name, version }: CategoryChanges,
): Promise<PlaybookCategory> {
  const before = await categories.hold(db, id, version)
  return categories.update(db, before, { name, nameKey: nameKeyOf(name) })
}

/**
 * Deletes a category. The database moves its playbooks to Uncategorized; their versions stay, since incidents copy no
 * category.
 * @throws Refusal 404
 */
export const removeCategory = (db: OrgDb, by: Pick<Acting, 'id'>, id: string): Promise<void> =>
  categories.removeUndoably(db, id, by, [
    { table: 'playbooks', where: sql`t.category_id = ${id}`, idsOnly: true },
  ])

/**
 * Undoes the deletion of a category, and returns the playbooks to it that nobody moved meanwhile.
 * @throws Refusal 403, 404, 409
 */
export const restoreCategory = async (
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  id: string,
): Promise<PlaybookCategory> =>
  categories.restore(db, id, by, async (kept) => {
    const playbooks = await kept.rows<{ id: string }>('playbooks')
    await recategorize(
      db,
      playbooks.map((playbook) => playbook.id),
      id,
    )
  })
