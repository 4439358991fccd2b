import type { ListState } from './useListState.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * One page of rows that the server returned completely.
 * @param usual the server's order, which may be language-dependent and is not recomputed
 */
export function clientPage<T extends Row>(
  rows: readonly T[],
  { sort: [field, order], page, size }: Pick<ListState, 'sort' | 'page' | 'size'>,
  usual: ListState['sort'],
): T[] {
  const valueOf = (row: T) => {
    const value = row[field]
    return typeof value === 'string' || typeof value === 'number' ? value : ''
  }
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  const isUsual = field === usual[0]
  const ascending = isUsual ? rows : rows.toSorted((a, b) => compare(valueOf(a), valueOf(b)))
  const sorted = order === (isUsual ? usual[1] : 'ASC') ? ascending : ascending.toReversed()
  return sorted.slice((page - 1) * size, page * size)
}
