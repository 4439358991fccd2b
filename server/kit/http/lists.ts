import { type SelectQueryBuilder, sql } from 'kysely'

import type { Page } from './answers.ts'
import type { Tables } from '../database/db.ts'

/**
 * The page of a list that is asked for, with the number of all rows; without a range all of them.
 * @param list every row that matches, in its order
 * @param range the first and the last place on the page, from 0
 */
export async function pageOf<T extends keyof Tables, Row>(
  list: SelectQueryBuilder<Tables, T, Row>,
  range: readonly [first: number, last: number] | undefined,
): Promise<Page<Row>> {
  if (!range) {
    const rows = await list.execute()
    return { rows, total: rows.length }
  }
  const [first, last] = range
  const rows = await list
    .limit(last - first + 1)
    .offset(first)
    .execute()
  const { total } = await list
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}
