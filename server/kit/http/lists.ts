import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

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

export type Direction = 'ASC' | 'DESC'
/** A step of an order. */
export type Step = readonly [by: RawBuilder<unknown>, direction: Direction]
/** An order of SQL, or the same from its end. */
export const orderOf = (steps: readonly Step[], isFromEnd = false): RawBuilder<unknown> =>
  sql.join(
    steps.map(
      ([by, direction]) => sql`${by} ${sql.raw((direction === 'ASC') === isFromEnd ? 'desc' : 'asc')}`,
    ),
  )

/** Which rows of an order a page is. */
export interface Cut {
  readonly limit: number
  readonly offset: number
  /** Whether the order is to be read from its end, and the rows to be turned round. */
  readonly isFromEnd: boolean
}
/** The way to a page from the nearer end of its list, whose length is known. */
export function cutOf([first, last]: readonly [number, number], total: number): Cut {
  const size = last - first + 1
  return first > total / 2
    ? {
        limit: Math.max(0, Math.min(size, total - first)),
        offset: Math.max(0, total - last - 1),
        isFromEnd: true,
      }
    : { limit: size, offset: first, isFromEnd: false }
}
