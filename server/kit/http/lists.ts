import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

import type { Page } from './answers.ts'
import type { Tables } from '../database/db.ts'

/**
 * A page of a list, with the number of all rows; without a range all rows.
 * @param list all matching rows, in order
 * @param range first and last index of the page, from 0
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
/** One sort criterion. */
export type Step = readonly [by: RawBuilder<unknown>, direction: Direction]
/** An SQL order, or its reverse. */
export const orderOf = (steps: readonly Step[], isFromEnd = false): RawBuilder<unknown> =>
  sql.join(
    steps.map(
      ([by, direction]) => sql`${by} ${sql.raw((direction === 'ASC') === isFromEnd ? 'desc' : 'asc')}`,
    ),
  )

/** Rows of a page within an order. */
export interface Cut {
  readonly limit: number
  readonly offset: number
  /** True when the order is read from its end, and the rows have to be reversed. */
  readonly isFromEnd: boolean
}
/** Reads a page from the nearer end of a list of known length. */
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
