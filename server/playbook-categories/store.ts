import { type GeneratedAlways, sql } from 'kysely'

import { CATEGORY_NAME_TAKEN, PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    playbook_categories: ColumnsOf<Omit<PlaybookCategory, 'categoryName' | 'playbooksCount'>> & {
      name_key: string
      sort_key: GeneratedAlways<string>
    }
  }
}

/** Case-insensitive key of a name. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase()

export const categories = plainNoun({
  noun: 'playbook-categories',
  table: 'playbook_categories',
  label: 'This category',
  schema: PlaybookCategory,
  fields: ['name'],
  also: ['nameKey'],
  computed: {
    categoryName: sql`playbook_categories.name`,
    playbooksCount: sql`(select count(*) from playbooks p where p.category_id = playbook_categories.id
      and p.is_published and p.archive_timestamp is null and p.delete_timestamp is null)`,
  },
  derived: ['categoryName', 'playbooksCount'],
  name: 'name',
  nameTaken: CATEGORY_NAME_TAKEN,
  orders: { name: sql`sort_key` },
  sort: ['name', 'ASC'],
  matches: () => sql<boolean>`true`,
})

/** The id of the category of a name, regardless of case. */
export async function findCategoryByName(db: OrgDb, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('playbook_categories')
    .select('id')
    .where('name_key', '=', nameKeyOf(name))
    .forKeyShare()
    .executeTakeFirst()
  return row?.id
}
